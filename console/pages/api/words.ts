/** Words of the page about the API. */
import type { Translated } from '../../words/translated.ts'

const pt = {
  title: 'API',
  about: 'Tudo o que este console faz, um programa seu também faz.',
  base: 'Endereço base',
  reference: 'Abrir a referência da API',
  token: 'Crie um token na página Tokens e envie-o no cabeçalho Authorization.',
  tokens: 'Ir para Tokens',
  first: 'Uma primeira chamada',
}

const en: typeof pt = {
  title: 'API',
  about: 'Everything this console does, a program of yours can do too.',
  base: 'Base address',
  reference: 'Open the API reference',
  token: 'Create a token on the page Tokens and send it in the header Authorization.',
  tokens: 'Go to Tokens',
  first: 'A first call',
}

export const apiWords: Translated<typeof pt> = { pt, en }
