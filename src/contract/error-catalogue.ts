/** The catalogue of refusals (D100, D101): code, status, name, and a message in every language, once each. */
import type { Translated } from '../kit/text/language.ts'

type Row = readonly [status: number, name: string, message: Translated<string>]

export const errorCatalogue = {
  INVALID_PARAMETER_VALUE: [
    400,
    'BadRequestError',
    { en: 'A parameter is not valid.', pt: 'Um parâmetro não é válido.' },
  ],
  MISSING_REQUIRED_PARAMETER: [
    400,
    'BadRequestError',
    { en: 'A required parameter is missing.', pt: 'Falta um parâmetro obrigatório.' },
  ],
  MALFORMED_BODY: [
    400,
    'BadRequestError',
    { en: 'The body is not valid JSON.', pt: 'O corpo da requisição não é um JSON válido.' },
  ],
  MALFORMED_REQUEST: [
    400,
    'BadRequestError',
    { en: 'The request could not be read.', pt: 'Não foi possível ler a requisição.' },
  ],
  USERNAME_EMAIL_REQUIRED: [
    400,
    'BadRequestError',
    { en: 'email and password are required', pt: 'Informe o e-mail e a senha (`email` e `password`).' },
  ],
  AUTHORIZATION_REQUIRED: [
    401,
    'UnauthorizedError',
    {
      en: 'Send the access token in the Authorization header.',
      pt: 'Envie o token de acesso no cabeçalho Authorization.',
    },
  ],
  INVALID_TOKEN: [
    401,
    'UnauthorizedError',
    {
      en: 'The access token is unknown or has expired.',
      pt: 'O token de acesso não existe ou expirou.',
    },
  ],
  RATE_NOT_FOUND: [
    404,
    'NotFoundError',
    {
      en: 'There is no rate for this number, and it cannot be called.',
      pt: 'Não há tarifa para este número, e ele não pode ser chamado.',
    },
  ],
  FOREIGN_ORIGIN: [
    403,
    'ForbiddenError',
    {
      en: 'A session of the console begins only from a page of this service.',
      pt: 'Uma sessão do console só pode ser iniciada em uma página deste serviço.',
    },
  ],
  LOGIN_FAILED: [401, 'UnauthorizedError', { en: 'login failed', pt: 'E-mail ou senha incorretos.' }],
  LOGIN_FAILED_EMAIL_NOT_VERIFIED: [
    401,
    'UnauthorizedError',
    {
      en: 'login failed as the email has not been verified',
      pt: 'O e-mail ainda não foi confirmado.',
    },
  ],
  SECOND_FACTOR_REQUIRED: [
    401,
    'UnauthorizedError',
    {
      en: 'Send the code of your second factor, too.',
      pt: 'Envie também o código da verificação em duas etapas.',
    },
  ],
  SECOND_FACTOR_FAILED: [
    401,
    'UnauthorizedError',
    {
      en: 'The code of the second factor is wrong, or was used already.',
      pt: 'O código da verificação em duas etapas está errado ou já foi usado.',
    },
  ],
  INSUFFICIENT_CREDIT: [
    402,
    'PaymentRequiredError',
    {
      en: 'There is not enough credit for this call. Add some first.',
      pt: 'Não há crédito suficiente para esta chamada. Adicione créditos primeiro.',
    },
  ],
  ACCESS_DENIED: [
    403,
    'ForbiddenError',
    { en: 'Your role does not allow this.', pt: 'O seu perfil não permite esta ação.' },
  ],
  REAUTHENTICATION_REQUIRED: [
    403,
    'ForbiddenError',
    {
      en: 'Send your current password and, if your second factor is enabled, its code; or log in again.',
      pt: 'Envie sua senha atual e, se a verificação em duas etapas estiver ativada, o código dela; ou entre de novo.',
    },
  ],
  ACCOUNT_SUSPENDED: [
    403,
    'ForbiddenError',
    {
      en: 'This account is suspended. Its ADMINs got a mail that says why; ask support.',
      pt: 'Esta conta está suspensa. Os administradores receberam um e-mail com o motivo; fale com o suporte.',
    },
  ],
  READ_ONLY_SESSION: [
    403,
    'ForbiddenError',
    {
      en: 'The operator looks at this account to read only: nothing can be changed.',
      pt: 'O operador consulta esta conta só para leitura: nada pode ser alterado.',
    },
  ],
  SCOPE_REQUIRED: [
    403,
    'ForbiddenError',
    {
      en: 'This access token is limited to other scopes.',
      pt: 'Este token de acesso está limitado a outros escopos.',
    },
  ],
  TOKEN_ADDRESS_REFUSED: [
    403,
    'ForbiddenError',
    {
      en: 'This access token may not be used from this address.',
      pt: 'Este token de acesso não pode ser usado a partir deste endereço.',
    },
  ],
  TOKEN_LIMITS_EXCEEDED: [
    403,
    'ForbiddenError',
    {
      en: 'A limited access token makes only tokens within its own scopes, addresses and lifetime.',
      pt: 'Um token de acesso limitado só cria tokens dentro dos seus próprios escopos, endereços e validade.',
    },
  ],
  RECORDING_LINK_INVALID: [
    403,
    'ForbiddenError',
    {
      en: 'This link to a recording is not valid, or no longer.',
      pt: 'Este link de gravação não é válido ou já expirou.',
    },
  ],
  ROUTE_NOT_FOUND: [404, 'NotFoundError', { en: 'There is no such route.', pt: 'Esta rota não existe.' }],
  USER_NOT_FOUND: [
    404,
    'NotFoundError',
    { en: 'There is no such user in this account.', pt: 'Este usuário não existe nesta conta.' },
  ],
  EXTENSION_NOT_FOUND: [
    404,
    'NotFoundError',
    { en: 'There is no such extension in this account.', pt: 'Este ramal não existe nesta conta.' },
  ],
  NUMBER_NOT_FOUND: [
    404,
    'NotFoundError',
    { en: 'There is no such number in this account.', pt: 'Este número não existe nesta conta.' },
  ],
  CONTACT_NOT_FOUND: [
    404,
    'NotFoundError',
    { en: 'There is no such contact in this account.', pt: 'Este contato não existe nesta conta.' },
  ],
  CALL_NOT_FOUND: [
    404,
    'NotFoundError',
    { en: 'There is no such call in this account.', pt: 'Esta chamada não existe nesta conta.' },
  ],
  CALL_ENDED: [404, 'NotFoundError', { en: 'This call has ended already.', pt: 'Esta chamada já terminou.' }],
  CALL_NOT_ANSWERED: [
    409,
    'ConflictError',
    {
      en: 'Nobody has answered this call yet.',
      pt: 'Esta chamada ainda não foi atendida.',
    },
  ],
  CALL_NOT_TRANSFERABLE: [
    409,
    'ConflictError',
    {
      en: 'This call cannot be transferred now: it is being transferred already, or it is ending.',
      pt: 'Esta chamada não pode ser transferida agora: ela já está sendo transferida ou está terminando.',
    },
  ],
  RECORDING_NOT_FOUND: [
    404,
    'NotFoundError',
    {
      en: 'There is no recording of such a call, not yet or no longer.',
      pt: 'Não há gravação desta chamada: ela ainda não está pronta ou já foi removida.',
    },
  ],
  INTEGRATION_NOT_FOUND: [
    404,
    'NotFoundError',
    { en: 'You have no such integration.', pt: 'Você não tem esta integração.' },
  ],
  DELIVERY_NOT_FOUND: [
    404,
    'NotFoundError',
    {
      en: 'The integration has no such delivery, or no longer.',
      pt: 'A integração não tem esta entrega, ou ela já foi removida.',
    },
  ],
  CHARGE_NOT_FOUND: [
    404,
    'NotFoundError',
    { en: 'There is no such charge in this account.', pt: 'Esta cobrança não existe nesta conta.' },
  ],
  PIX_CODE_NOT_FOUND: [
    404,
    'NotFoundError',
    {
      en: 'The charge has no PIX code: not yet, no longer, or it is not paid by PIX.',
      pt: 'A cobrança não tem código PIX: ele ainda não foi gerado, já não vale, ou a cobrança não é por PIX.',
    },
  ],
  TOKEN_NOT_FOUND: [
    404,
    'NotFoundError',
    { en: 'There is no such access token.', pt: 'Este token de acesso não existe.' },
  ],
  SETUP_LINK_INVALID: [
    404,
    'NotFoundError',
    {
      en: 'The set-up link is unknown, used or expired.',
      pt: 'O link de configuração não existe, já foi usado ou expirou.',
    },
  ],
  CONFIRMATION_INVALID: [
    404,
    'NotFoundError',
    {
      en: 'The confirmation link is unknown, used or expired.',
      pt: 'O link de confirmação não existe, já foi usado ou expirou.',
    },
  ],
  PASSWORD_LINK_INVALID: [
    404,
    'NotFoundError',
    {
      en: 'The link for a new password is unknown, used or expired.',
      pt: 'O link para uma nova senha não existe, já foi usado ou expirou.',
    },
  ],
  METHOD_NOT_ALLOWED: [
    405,
    'MethodNotAllowedError',
    {
      en: 'This path does not take this method. The header Allow names those it takes.',
      pt: 'Este caminho não aceita este método. O cabeçalho Allow informa os aceitos.',
    },
  ],
  FORMAT_UNAVAILABLE: [
    406,
    'NotAcceptableError',
    {
      en: 'This service cannot make recordings in this format; WAV and Ogg/Opus are always there.',
      pt: 'Este serviço não gera gravações neste formato; WAV e Ogg/Opus estão sempre disponíveis.',
    },
  ],
  CALL_ALREADY_RINGING: [
    409,
    'ConflictError',
    {
      en: 'A call from this extension to this number is ringing already.',
      pt: 'Uma chamada deste ramal para este número já está tocando.',
    },
  ],
  LAST_ADMIN: [
    409,
    'ConflictError',
    {
      en: 'The last ADMIN of the account cannot be demoted or removed.',
      pt: 'O último ADMIN da conta não pode perder o perfil nem ser removido.',
    },
  ],
  INVITATION_ACCEPTED: [
    409,
    'ConflictError',
    {
      en: 'The user has set a password already and needs no invitation.',
      pt: 'O usuário já definiu uma senha e não precisa de convite.',
    },
  ],
  SECOND_FACTOR_ENABLED: [
    409,
    'ConflictError',
    {
      en: 'The second factor is enabled already. Disable it first.',
      pt: 'A verificação em duas etapas já está ativada. Desative-a primeiro.',
    },
  ],
  SECOND_FACTOR_NOT_ENABLED: [
    409,
    'ConflictError',
    {
      en: 'The second factor is not enabled.',
      pt: 'A verificação em duas etapas não está ativada.',
    },
  ],
  SECOND_FACTOR_NOT_BEGUN: [
    409,
    'ConflictError',
    {
      en: 'No second factor waits for its first code, or no longer. Ask for a secret again.',
      pt: 'A ativação da verificação em duas etapas não foi iniciada ou já expirou. Peça um novo segredo.',
    },
  ],
  EXTENSION_NUMBERS_USED_UP: [
    409,
    'ConflictError',
    {
      en: 'The account has no free extension number left.',
      pt: 'A conta não tem mais nenhum número de ramal livre.',
    },
  ],
  NUMBER_TAKEN: [
    409,
    'ConflictError',
    {
      en: 'Another account has verified this number. If it is yours, ask the operator.',
      pt: 'Outra conta já verificou este número. Se ele é seu, fale com o operador.',
    },
  ],
  NUMBER_IN_USE: [
    409,
    'ConflictError',
    {
      en: 'This number is the bina of an extension, or that of the account. Change that first.',
      pt: 'Este número é a bina de um ramal ou da conta. Altere isso primeiro.',
    },
  ],
  NUMBER_LIMIT: [
    409,
    'ConflictError',
    {
      en: 'The account has as many numbers as it may claim.',
      pt: 'A conta já atingiu o limite de números.',
    },
  ],
  CONTACT_LIMIT: [
    409,
    'ConflictError',
    {
      en: 'The account would have more than 50,000 contacts.',
      pt: 'A conta ficaria com mais de 50.000 contatos.',
    },
  ],
  INTEGRATION_LIMIT: [
    409,
    'ConflictError',
    {
      en: 'You have as many integrations as one user may have.',
      pt: 'Você já tem o número máximo de integrações por usuário.',
    },
  ],
  WEBHOOK_OFF: [
    409,
    'ConflictError',
    {
      en: 'The integration has no webhook, or it is off.',
      pt: 'A integração não tem webhook, ou ele está desligado.',
    },
  ],
  CHARGE_OPEN: [
    409,
    'ConflictError',
    {
      en: 'The account has an open charge. Pay or cancel it first.',
      pt: 'A conta tem uma cobrança em aberto. Pague ou cancele essa cobrança primeiro.',
    },
  ],
  CHARGE_NOT_CANCELLABLE: [
    409,
    'ConflictError',
    {
      en: 'The charge is paid, or on its way to be, and cannot be cancelled.',
      pt: 'A cobrança já foi paga, ou está sendo paga, e não pode ser cancelada.',
    },
  ],
  FINANCIAL_LOCKED: [
    409,
    'ConflictError',
    {
      en: 'The tax id of an active financial account can only be changed by support.',
      pt: 'O CPF ou CNPJ de uma conta financeira ativa só pode ser alterado pelo suporte.',
    },
  ],
  IDEMPOTENCY_KEY_IN_USE: [
    409,
    'ConflictError',
    {
      en: 'A request with this Idempotency-Key is still running.',
      pt: 'Uma requisição com esta Idempotency-Key ainda está em andamento.',
    },
  ],
  BODY_TOO_LARGE: [
    413,
    'PayloadTooLargeError',
    { en: 'The body is larger than 1 MiB.', pt: 'O corpo da requisição passa de 1 MiB.' },
  ],
  UNSUPPORTED_MEDIA_TYPE: [
    415,
    'UnsupportedMediaTypeError',
    { en: 'Send the body as application/json.', pt: 'Envie o corpo da requisição como application/json.' },
  ],
  RANGE_NOT_SATISFIABLE: [
    416,
    'RangeNotSatisfiableError',
    {
      en: 'The recording is shorter than the Range asks for.',
      pt: 'A gravação é mais curta do que o Range pede.',
    },
  ],
  VALIDATION_FAILED: [
    422,
    'ValidationError',
    { en: 'The request is not valid.', pt: 'A requisição não é válida.' },
  ],
  INVALID_PASSWORD: [
    422,
    'UnprocessableEntityError',
    { en: 'The current password is not right.', pt: 'A senha atual não está correta.' },
  ],
  INVALID_CODE: [
    422,
    'UnprocessableEntityError',
    {
      en: 'The code is wrong, or was used already.',
      pt: 'O código está errado ou já foi usado.',
    },
  ],
  DESTINATION_NOT_ALLOWED: [
    422,
    'UnprocessableEntityError',
    {
      en: 'Calling this number is not enabled for the account.',
      pt: 'Ligar para este número não está liberado para a conta.',
    },
  ],
  EXTENSION_UNKNOWN: [
    422,
    'UnprocessableEntityError',
    { en: 'There is no such extension in this account.', pt: 'Este ramal não existe nesta conta.' },
  ],
  EXTENSION_NOT_REGISTERED: [
    422,
    'UnprocessableEntityError',
    { en: 'user not registered', pt: 'Nenhum telefone está registrado neste ramal.' },
  ],
  EXTENSION_DO_NOT_DISTURB: [
    422,
    'UnprocessableEntityError',
    {
      en: 'This extension does not want to be disturbed.',
      pt: 'Este ramal está em «não perturbe».',
    },
  ],
  INTEGRATION_EXISTS: [
    422,
    'ValidationError',
    {
      en: 'User integration already exists, please send ID to update',
      pt: 'A integração do usuário já existe; envie o id para atualizá-la',
    },
  ],
  IDEMPOTENCY_KEY_REUSED: [
    422,
    'UnprocessableEntityError',
    {
      en: 'This Idempotency-Key was used with another body.',
      pt: 'Esta Idempotency-Key já foi usada com outro corpo.',
    },
  ],
  FINANCIAL_ACCOUNT_REQUIRED: [
    422,
    'UnprocessableEntityError',
    {
      en: 'Store the tax id of the account first: POST /accounts/financial.',
      pt: 'Cadastre primeiro o CPF ou CNPJ da conta: POST /accounts/financial.',
    },
  ],
  SEARCH_TOO_EXPENSIVE: [
    422,
    'UnprocessableEntityError',
    {
      en: 'The search takes too long. Narrow it, for example to a shorter range of started_at.',
      pt: 'A consulta demora demais. Restrinja-a, por exemplo a um período menor de started_at.',
    },
  ],
  PAYMENT_REFUSED: [
    424,
    'FailedDependencyError',
    {
      en: 'The payment gateway did not accept the charge.',
      pt: 'O gateway de pagamento não aceitou a cobrança.',
    },
  ],
  CALL_FAILED: [424, 'FailedDependencyError', { en: 'the call has been failed', pt: 'A chamada falhou.' }],
  RATE_LIMITED: [
    429,
    'TooManyRequests',
    {
      en: 'Too many requests. Wait for the seconds in RateLimit-Reset.',
      pt: 'Requisições demais. Aguarde os segundos indicados em RateLimit-Reset.',
    },
  ],
  DAILY_CALL_LIMIT: [
    429,
    'TooManyRequests',
    {
      en: 'The account has placed as many calls as it may in a day.',
      pt: 'A conta já fez todas as chamadas que pode fazer em um dia.',
    },
  ],
  DAILY_SPENDING_LIMIT: [
    429,
    'TooManyRequests',
    {
      en: 'The account has spent as much on calls as it may in a day.',
      pt: 'A conta já gastou com chamadas tudo o que pode gastar em um dia.',
    },
  ],
  TOO_MANY_CALLS: [
    429,
    'TooManyRequests',
    {
      en: 'The extension or the account has as many calls at once as it may have.',
      pt: 'O ramal ou a conta já tem o máximo de chamadas simultâneas.',
    },
  ],
  TOO_MANY_VERIFICATIONS: [
    429,
    'TooManyRequests',
    {
      en: 'This number, or the numbers of this account, were called too often to be verified. Wait before the next call.',
      pt: 'Este número, ou os números desta conta, já receberam chamadas demais para verificação. Aguarde antes da próxima.',
    },
  ],
  EXPORT_RUNNING: [
    429,
    'TooManyRequests',
    {
      en: 'Another export of the account is being downloaded. Wait for its end.',
      pt: 'Outra exportação da conta está sendo baixada. Aguarde o término.',
    },
  ],
  INTERNAL_ERROR: [
    500,
    'InternalServerError',
    { en: 'Something went wrong on our side.', pt: 'Algo deu errado do nosso lado.' },
  ],
  SEARCHES_BUSY: [
    503,
    'ServiceUnavailableError',
    {
      en: 'The account has too many searches waiting. Try again in a moment.',
      pt: 'A conta tem consultas demais em espera. Tente novamente em instantes.',
    },
  ],
  PAYMENT_GATEWAY_DOWN: [
    503,
    'ServiceUnavailableError',
    {
      en: 'The payment gateway does not answer. Try again later.',
      pt: 'O gateway de pagamento não responde. Tente novamente mais tarde.',
    },
  ],
  SERVICE_UNAVAILABLE: [
    503,
    'ServiceUnavailableError',
    {
      en: 'A part of the service is busy or down. Try again.',
      pt: 'Uma parte do serviço está ocupada ou fora do ar. Tente novamente.',
    },
  ],
} as const satisfies Record<string, Row>

export type ErrorCode = keyof typeof errorCatalogue
