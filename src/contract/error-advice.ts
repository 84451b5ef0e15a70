/** D579: what a client, or the person behind it, does about each error. A code without advice does not compile. */
import type { Translated } from '../kit/text/language.ts'
import type { ErrorCode } from './error-catalogue.ts'

export const errorAdvice: Record<ErrorCode, Translated<string>> = {
  INVALID_PARAMETER_VALUE: {
    en: 'Read `message`: it names the parameter or the path within the filter. Correct it; sending the same request again fails again.',
    pt: 'Leia `message`: ela diz qual parâmetro, ou qual caminho dentro do filtro, está errado. Corrija; repetir a mesma requisição dá o mesmo erro.',
  },
  MISSING_REQUIRED_PARAMETER: {
    en: 'Add the parameter that `message` names.',
    pt: 'Inclua o parâmetro citado em `message`.',
  },
  MALFORMED_BODY: {
    en: 'Send one JSON value in UTF-8; `message` has the line and column of the error. Let a library write the JSON instead of joining text.',
    pt: 'Envie um único valor JSON em UTF-8; `message` traz a linha e a coluna do erro. Use uma biblioteca para gerar o JSON em vez de concatenar texto.',
  },
  MALFORMED_REQUEST: {
    en: 'Check the path for broken percent-encoding and the headers for control characters.',
    pt: 'Verifique se o caminho tem codificação `%` quebrada ou se algum cabeçalho tem caracteres de controle.',
  },
  USERNAME_EMAIL_REQUIRED: {
    en: 'Send `email` and `password` in the body of the login.',
    pt: 'Envie `email` e `password` no corpo do login.',
  },
  AUTHORIZATION_REQUIRED: {
    en: 'Send `Authorization: <token>` (with or without `Bearer`). A proxy may have removed the header.',
    pt: 'Envie `Authorization: <token>` (com ou sem `Bearer`). Veja se algum proxy não está removendo o cabeçalho.',
  },
  INVALID_TOKEN: {
    en: 'Log in again and use the new token. If a token is short-lived, renew it before `ttl` has passed.',
    pt: 'Faça login de novo e use o token novo. Se o token dura pouco, renove-o antes que o `ttl` termine.',
  },
  RATE_NOT_FOUND: {
    en: 'Check the number. If it is right, ask the operator for a rate for its prefix.',
    pt: 'Confira o número. Se estiver certo, peça ao operador uma tarifa para esse prefixo.',
  },
  FOREIGN_ORIGIN: {
    en: 'Use an access token: sessions are for the console. A page of yours calls your own server, which holds the token.',
    pt: 'Use um token de acesso: sessões são só do console. A sua página chama o seu servidor, e é ele que guarda o token.',
  },
  LOGIN_FAILED: {
    en: 'Check e-mail and password, or ask for a new password with `POST /users/reset`. Do not retry in a loop: failed logins are limited.',
    pt: 'Confira e-mail e senha, ou peça uma senha nova com `POST /users/reset`. Não tente em loop: logins errados são limitados.',
  },
  LOGIN_FAILED_EMAIL_NOT_VERIFIED: {
    en: 'Open the link in the confirmation mail; `POST /users/resend-confirmation` sends another one.',
    pt: 'Abra o link do e-mail de confirmação; `POST /users/resend-confirmation` envia outro.',
  },
  SECOND_FACTOR_REQUIRED: {
    en: 'Send the login again with `code` from the authenticator app, or a recovery code.',
    pt: 'Repita o login com `code`, o código do aplicativo autenticador, ou com um código de recuperação.',
  },
  SECOND_FACTOR_FAILED: {
    en: 'Wait for the next code of the app: each works once. If all codes fail, check the clock of the phone.',
    pt: 'Espere o próximo código do aplicativo: cada um vale uma vez. Se nenhum funcionar, acerte o relógio do celular.',
  },
  INSUFFICIENT_CREDIT: {
    en: 'Add credit with `POST /charges`. `GET /credits/balance` shows what is left, `GET /rates` what a call costs.',
    pt: 'Coloque créditos com `POST /charges`. `GET /credits/balance` mostra o saldo e `GET /rates`, quanto custa a chamada.',
  },
  ACCESS_DENIED: {
    en: 'Use the token of an ADMIN, or ask one to do it. A USER calls from their own extensions only.',
    pt: 'Use o token de um ADMIN ou peça a um ADMIN. Um USER só liga pelos próprios ramais.',
  },
  REAUTHENTICATION_REQUIRED: {
    en: 'Send `currentPassword` (and `code`), so that a stolen session cannot do this.',
    pt: 'Envie `currentPassword` (e `code`): assim uma sessão roubada não consegue fazer isso.',
  },
  ACCOUNT_SUSPENDED: {
    en: 'Stop sending until an ADMIN of the account has settled it with support; the mail to the ADMINs says why. Tokens work again after that, unless they were revoked.',
    pt: 'Pare de enviar até um ADMIN da conta resolver com o suporte; o e-mail aos ADMINs diz o motivo. Depois disso os tokens voltam a valer, a não ser que tenham sido revogados.',
  },
  READ_ONLY_SESSION: {
    en: 'Only sessions that the operator opens to look at an account are answered so; sign in as a user of the account to change something.',
    pt: 'Só as sessões que o operador abre para consultar uma conta recebem esta resposta; entre como usuário da conta para alterar algo.',
  },
  SCOPE_REQUIRED: {
    en: 'Make a token with the scope that `message` names; scopes of a token cannot be changed.',
    pt: 'Crie um token com o escopo citado em `message`; os escopos de um token não podem ser alterados.',
  },
  TOKEN_ADDRESS_REFUSED: {
    en: 'Send the request from an address of the token, or make a token for the address you have now.',
    pt: 'Envie a requisição de um dos endereços do token ou crie um token para o endereço atual.',
  },
  TOKEN_LIMITS_EXCEEDED: {
    en: 'Ask for fewer scopes, addresses within those of the token in use, and a shorter `ttl`; or log in with the password.',
    pt: 'Peça menos escopos, endereços contidos nos do token em uso e um `ttl` menor; ou faça login com a senha.',
  },
  RECORDING_LINK_INVALID: {
    en: 'Read the call again: `record_url` is a fresh link. Store the id of the call, not the link.',
    pt: 'Consulte a chamada de novo: `record_url` é um link novo. Guarde o id da chamada, não o link.',
  },
  ROUTE_NOT_FOUND: {
    en: 'Check the path and the version: routes begin with `/api/v1`.',
    pt: 'Confira o caminho e a versão: as rotas começam com `/api/v1`.',
  },
  USER_NOT_FOUND: {
    en: 'List the users to find the `uuid`; the user may have been removed.',
    pt: 'Liste os usuários para achar o `uuid`; o usuário pode ter sido removido.',
  },
  EXTENSION_NOT_FOUND: {
    en: 'Use the `id` of the extension, not its `ramal`; `GET /extensions` lists both.',
    pt: 'Use o `id` do ramal, não o número (`ramal`); `GET /extensions` mostra os dois.',
  },
  NUMBER_NOT_FOUND: {
    en: 'Use the `id` that `GET /numbers` shows; the number may have been given up.',
    pt: 'Use o `id` mostrado por `GET /numbers`; o número pode ter sido devolvido.',
  },
  CONTACT_NOT_FOUND: {
    en: 'Search it again with `GET /contacts`; somebody may have removed it.',
    pt: 'Procure de novo com `GET /contacts`; alguém pode ter removido o contato.',
  },
  CALL_NOT_FOUND: {
    en: 'Check the id. A USER sees only their own calls, and old calls may have been removed by the operator’s retention.',
    pt: 'Confira o id. Um USER só vê as próprias chamadas, e chamadas antigas podem ter sido apagadas pela retenção do operador.',
  },
  CALL_ENDED: {
    en: 'Nothing: the call is over, as you wanted. Do not retry.',
    pt: 'Nada: a chamada já terminou, como você queria. Não tente de novo.',
  },
  CALL_NOT_ANSWERED: {
    en: 'Wait for `channel-answer`, then send it again.',
    pt: 'Espere o evento `channel-answer` e envie de novo.',
  },
  CALL_NOT_TRANSFERABLE: {
    en: 'Read the call: if it still lives in a few seconds, try the transfer again.',
    pt: 'Consulte a chamada: se em alguns segundos ela ainda estiver ativa, tente a transferência de novo.',
  },
  RECORDING_NOT_FOUND: {
    en: 'Wait for `recording-ready`. Check that `gravar_audio` of the extension is 1 and that the recording is not older than it is kept.',
    pt: 'Espere o evento `recording-ready`. Confira se `gravar_audio` do ramal é 1 e se a gravação ainda está no prazo de guarda.',
  },
  INTEGRATION_NOT_FOUND: {
    en: 'Use the token of the user who made the integration: others do not see it.',
    pt: 'Use o token do usuário que criou a integração: os outros não a enxergam.',
  },
  DELIVERY_NOT_FOUND: {
    en: 'List the deliveries of the integration; they are kept for 30 days.',
    pt: 'Liste as entregas da integração; elas ficam guardadas por 30 dias.',
  },
  CHARGE_NOT_FOUND: {
    en: 'Use the `id` that `GET /charges` shows, with a token of the same account.',
    pt: 'Use o `id` mostrado por `GET /charges`, com um token da mesma conta.',
  },
  PIX_CODE_NOT_FOUND: {
    en: 'Read the charge: if it is open and `pixCode` is null, try again in a minute; otherwise make one with `paymentMethod` PIX.',
    pt: 'Consulte a cobrança: se está em aberto e `pixCode` é null, tente em um minuto; senão, crie uma com `paymentMethod` PIX.',
  },
  TOKEN_NOT_FOUND: {
    en: 'List the tokens for their `ref`; the token may have been revoked already.',
    pt: 'Liste os tokens para ver o `ref`; o token talvez já tenha sido revogado.',
  },
  SETUP_LINK_INVALID: {
    en: 'Make another link with `POST /extensions/{id}/setup-link`: each works once, for ten minutes.',
    pt: 'Gere outro link com `POST /extensions/{id}/setup-link`: cada um vale uma vez, por dez minutos.',
  },
  CONFIRMATION_INVALID: {
    en: 'Ask for another mail with `POST /users/resend-confirmation`, or log in: the address may be confirmed already.',
    pt: 'Peça outro e-mail com `POST /users/resend-confirmation` ou faça login: o endereço talvez já esteja confirmado.',
  },
  PASSWORD_LINK_INVALID: {
    en: 'Ask for another link with `POST /users/reset` and use the newest mail.',
    pt: 'Peça outro link com `POST /users/reset` e use o e-mail mais recente.',
  },
  METHOD_NOT_ALLOWED: {
    en: 'Use a method that the header `Allow` names.',
    pt: 'Use um dos métodos do cabeçalho `Allow`.',
  },
  FORMAT_UNAVAILABLE: {
    en: 'Take the recording as `.wav` or `.ogg`, or ask the operator to install ffmpeg or lame.',
    pt: 'Baixe a gravação como `.wav` ou `.ogg`, ou peça ao operador para instalar ffmpeg ou lame.',
  },
  CALL_ALREADY_RINGING: {
    en: 'Use the id in the answer: the first call is on its way. `X-Allow-Duplicate: true` places a second one on purpose.',
    pt: 'Use o id da resposta: a primeira chamada já está a caminho. `X-Allow-Duplicate: true` faz uma segunda de propósito.',
  },
  LAST_ADMIN: {
    en: 'Make somebody else an ADMIN first.',
    pt: 'Promova outra pessoa a ADMIN primeiro.',
  },
  INVITATION_ACCEPTED: {
    en: 'Nothing: the user can log in. A forgotten password is reset with `POST /users/reset`.',
    pt: 'Nada: o usuário já consegue entrar. Senha esquecida se troca com `POST /users/reset`.',
  },
  SECOND_FACTOR_ENABLED: {
    en: 'To move it to another phone, disable it and enable it there.',
    pt: 'Para mudar de celular, desative e ative de novo no novo aparelho.',
  },
  SECOND_FACTOR_NOT_ENABLED: {
    en: 'Enable it first; there is nothing to disable and there are no recovery codes yet.',
    pt: 'Ative primeiro; ainda não há o que desativar nem códigos de recuperação.',
  },
  SECOND_FACTOR_NOT_BEGUN: {
    en: 'Begin again, and send the first code right away.',
    pt: 'Comece de novo e envie o primeiro código logo em seguida.',
  },
  EXTENSION_NUMBERS_USED_UP: {
    en: 'Remove extensions that nobody uses, or choose a number yourself with `POST /extensions`.',
    pt: 'Remova ramais sem uso ou escolha você mesmo o número com `POST /extensions`.',
  },
  NUMBER_TAKEN: {
    en: 'Ask the operator, with a bill that shows whose number it is.',
    pt: 'Fale com o operador e mostre uma conta telefônica que prove de quem é o número.',
  },
  NUMBER_IN_USE: {
    en: 'Give those extensions, or the account, another `bina`, then remove the number.',
    pt: 'Troque a `bina` desses ramais, ou da conta, e depois remova o número.',
  },
  NUMBER_LIMIT: {
    en: 'Give up numbers you do not need, or ask the operator to assign more.',
    pt: 'Devolva números de que não precisa ou peça ao operador para atribuir mais.',
  },
  CONTACT_LIMIT: {
    en: 'Remove old contacts, or import fewer lines.',
    pt: 'Remova contatos antigos ou importe menos linhas.',
  },
  INTEGRATION_LIMIT: {
    en: 'Remove integrations you no longer use; one webhook may list many event types.',
    pt: 'Remova integrações que não usa mais; um único webhook pode listar vários tipos de evento.',
  },
  WEBHOOK_OFF: {
    en: 'Change the integration to `"webhook": true` with a `webhookUrl`, then send it again.',
    pt: 'Altere a integração para `"webhook": true` com um `webhookUrl` e envie de novo.',
  },
  CHARGE_OPEN: {
    en: 'Show the payer the open charge, or cancel it with `PATCH /charges/{id}/cancel`.',
    pt: 'Mostre ao pagador a cobrança em aberto ou cancele-a com `PATCH /charges/{id}/cancel`.',
  },
  CHARGE_NOT_CANCELLABLE: {
    en: 'Wait until it is settled; the operator refunds a paid charge.',
    pt: 'Espere a liquidação; quem estorna uma cobrança paga é o operador.',
  },
  FINANCIAL_LOCKED: {
    en: 'Contact support for another CPF or CNPJ; contacts and address can be changed.',
    pt: 'Fale com o suporte para trocar o CPF ou CNPJ; contatos e endereço você mesmo altera.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    en: 'Wait a moment and send the same request with the same key: you get the answer of the first.',
    pt: 'Espere um instante e envie a mesma requisição com a mesma chave: você recebe a resposta da primeira.',
  },
  BODY_TOO_LARGE: {
    en: 'Send less at once, such as an import in several files.',
    pt: 'Envie menos de cada vez, por exemplo uma importação em vários arquivos.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    en: 'Set `Content-Type: application/json`.',
    pt: 'Envie `Content-Type: application/json`.',
  },
  RANGE_NOT_SATISFIABLE: {
    en: 'Ask for less: `HEAD` on the same address tells the length of the recording.',
    pt: 'Peça menos: um `HEAD` no mesmo endereço informa o tamanho da gravação.',
  },
  VALIDATION_FAILED: {
    en: 'Read `details.codes` and `details.messages`: they name each field and what is wrong with it.',
    pt: 'Leia `details.codes` e `details.messages`: eles dizem, campo a campo, o que está errado.',
  },
  INVALID_PASSWORD: {
    en: 'Ask the person for the current password again.',
    pt: 'Peça de novo a senha atual à pessoa.',
  },
  INVALID_CODE: {
    en: 'Wait for the next code of the app and send that one.',
    pt: 'Espere o próximo código do aplicativo e envie esse.',
  },
  DESTINATION_NOT_ALLOWED: {
    en: 'See `international` and `ranges` of `GET /accounts/limits`; the operator enables a destination.',
    pt: 'Veja `international` e `ranges` em `GET /accounts/limits`; quem libera um destino é o operador.',
  },
  EXTENSION_UNKNOWN: {
    en: 'Check `extension`: it is the number of an extension of the account, such as 1000.',
    pt: 'Confira `extension`: é o número de um ramal da conta, como 1000.',
  },
  EXTENSION_NOT_REGISTERED: {
    en: 'Register a phone to the extension; `registered` of `GET /extensions` says whether one is there.',
    pt: 'Registre um telefone no ramal; `registered` em `GET /extensions` diz se há um.',
  },
  EXTENSION_DO_NOT_DISTURB: {
    en: 'Call somebody else, or later; `presence` of `GET /extensions/presence` says who is free.',
    pt: 'Ligue para outra pessoa, ou mais tarde; `presence` em `GET /extensions/presence` diz quem está livre.',
  },
  INTEGRATION_EXISTS: {
    en: 'Send the `id` of the integration to change it.',
    pt: 'Envie o `id` da integração para alterá-la.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    en: 'Make a new key for each new request, and keep it only for retries of the same one.',
    pt: 'Gere uma chave nova para cada requisição nova e repita a chave só ao reenviar a mesma.',
  },
  FINANCIAL_ACCOUNT_REQUIRED: {
    en: 'Store the CPF or CNPJ once, then send the charge again.',
    pt: 'Cadastre o CPF ou CNPJ uma vez e envie a cobrança de novo.',
  },
  SEARCH_TOO_EXPENSIVE: {
    en: 'Search a shorter period, by equality rather than by `regexp`, or take `GET /calls/updated` to keep a copy.',
    pt: 'Busque um período menor, por igualdade em vez de `regexp`, ou use `GET /calls/updated` para manter uma cópia.',
  },
  PAYMENT_REFUSED: {
    en: 'Check the data of the payer, or choose another payment method.',
    pt: 'Confira os dados do pagador ou escolha outra forma de pagamento.',
  },
  CALL_FAILED: {
    en: 'The phone refused the call or could not be reached. Check the phone; then place the call again.',
    pt: 'O telefone recusou a chamada ou não respondeu. Verifique o aparelho e faça a chamada de novo.',
  },
  RATE_LIMITED: {
    en: 'Wait for the seconds in `RateLimit-Reset`, then go on more slowly. Webhooks spare you from polling.',
    pt: 'Espere os segundos de `RateLimit-Reset` e siga mais devagar. Com webhooks você não precisa consultar em loop.',
  },
  DAILY_CALL_LIMIT: {
    en: 'Wait until `dayEnds` of `GET /accounts/limits`, store the tax id to be proven, or ask the operator for more.',
    pt: 'Espere até `dayEnds` de `GET /accounts/limits`, cadastre o CPF ou CNPJ para comprovar a conta ou peça mais ao operador.',
  },
  DAILY_SPENDING_LIMIT: {
    en: 'As for DAILY_CALL_LIMIT. If the calls are not yours, revoke tokens and change the passwords of the extensions.',
    pt: 'Como em DAILY_CALL_LIMIT. Se as chamadas não são suas, revogue os tokens e troque as senhas dos ramais.',
  },
  TOO_MANY_CALLS: {
    en: 'Wait for the end of a call (`channel-hangup`) before you place the next one.',
    pt: 'Espere o fim de uma chamada (`channel-hangup`) antes de fazer a próxima.',
  },
  TOO_MANY_VERIFICATIONS: {
    en: 'Wait until tomorrow, or let the operator assign the number.',
    pt: 'Espere até amanhã ou peça ao operador para atribuir o número.',
  },
  EXPORT_RUNNING: {
    en: 'Wait for the end of the other download; an account has one at a time.',
    pt: 'Espere o outro download terminar; cada conta faz um por vez.',
  },
  INTERNAL_ERROR: {
    en: 'Send it again once, with an `Idempotency-Key`. If it stays, give the operator the `X-Request-Id`.',
    pt: 'Repita uma vez, com `Idempotency-Key`. Se continuar, passe o `X-Request-Id` ao operador.',
  },
  SEARCHES_BUSY: {
    en: 'Send your searches one after the other, and retry after `Retry-After`.',
    pt: 'Faça as consultas uma de cada vez e repita depois de `Retry-After`.',
  },
  PAYMENT_GATEWAY_DOWN: {
    en: 'Try again in some minutes with the same `Idempotency-Key`; no charge was made.',
    pt: 'Tente em alguns minutos com a mesma `Idempotency-Key`; nenhuma cobrança foi criada.',
  },
  SERVICE_UNAVAILABLE: {
    en: 'Retry after the seconds in `Retry-After`, with the same `Idempotency-Key`.',
    pt: 'Repita depois dos segundos de `Retry-After`, com a mesma `Idempotency-Key`.',
  },
}
