/** Words of the page about the API. */
import type { Translated } from '../../words/translated.ts'

const pt = {
  title: 'API',
  about: 'Tudo o que este console faz, um programa seu também faz.',
  reference: 'Abrir a referência',
  token: '1. Crie um token',
  tokenAbout: 'Cada requisição leva o token no cabeçalho Authorization e vai a este endereço:',
  tokens: 'Ir para Tokens',
  first: '2. Faça a primeira chamada',
  firstAbout: 'O telefone do ramal toca; quando é atendido, o número é chamado. $TOKEN é o seu token.',
  looked: '3. Veja o que aconteceu',
  places: {
    calls: { name: 'Histórico', about: 'a chamada, com preço e gravação' },
    requests: { name: 'Requisições', about: 'o que a API respondeu, pelo X-Request-Id' },
    events: { name: 'Eventos', about: 'o que foi registrado, com o corpo de cada aviso' },
    integrations: { name: 'Integrações', about: 'para receber cada evento na hora' },
  },
  reading: 'Para ler',
  pages: {
    start: { name: 'Primeiros passos', about: 'da conta à primeira chamada' },
    'guides/clients': { name: 'Bibliotecas', about: 'TypeScript, Python e PHP' },
    'guides/webhooks': { name: 'Webhooks', about: 'receber e conferir a assinatura' },
    'guides/sandbox': { name: 'Números de teste', about: 'chamadas sem operadora' },
    errors: { name: 'Erros', about: 'cada código, e o que fazer' },
    limits: { name: 'Limites', about: 'quantas requisições por minuto' },
  },
}

const en: typeof pt = {
  title: 'API',
  about: 'Everything this console does, a program of yours can do too.',
  reference: 'Open the reference',
  token: '1. Create a token',
  tokenAbout: 'Each request has the token in the header Authorization and goes to this address:',
  tokens: 'Go to Tokens',
  first: '2. Place a first call',
  firstAbout:
    'The phone of the extension rings; once it is answered, the number is called. $TOKEN is your token.',
  looked: '3. See what happened',
  places: {
    calls: { name: 'History', about: 'the call, with price and recording' },
    requests: { name: 'Requests', about: 'what the API answered, by X-Request-Id' },
    events: { name: 'Events', about: 'what was recorded, with each body' },
    integrations: { name: 'Integrations', about: 'to receive each event at once' },
  },
  reading: 'To read',
  pages: {
    start: { name: 'First steps', about: 'from the account to the first call' },
    'guides/clients': { name: 'Libraries', about: 'TypeScript, Python and PHP' },
    'guides/webhooks': { name: 'Webhooks', about: 'receive them and check signatures' },
    'guides/sandbox': { name: 'Test numbers', about: 'calls without a carrier' },
    errors: { name: 'Errors', about: 'each code, and what to do' },
    limits: { name: 'Limits', about: 'how many requests a minute' },
  },
}

export const apiWords: Translated<typeof pt> = { pt, en }
