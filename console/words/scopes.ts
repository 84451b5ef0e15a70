/** What a scope of an access token lets its program do. */
import type { Translated } from './translated.ts'

const pt = {
  'calls:place': 'Fazer e encerrar chamadas',
  'calls:read': 'Ver chamadas e gravações',
  contacts: 'Ver e alterar contatos',
  billing: 'Créditos e cobranças',
  admin: 'Administrar usuários, ramais e integrações',
}

const en: typeof pt = {
  'calls:place': 'Place and end calls',
  'calls:read': 'See calls and recordings',
  contacts: 'See and change contacts',
  billing: 'Credit and charges',
  admin: 'Manage users, extensions and integrations',
}

export type Scope = keyof typeof pt

export const scopeWords: Translated<typeof pt> = { pt, en }
