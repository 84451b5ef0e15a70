/** Rate limits of the API as a table. */
import { type Limit, type LimitName, limits } from '../../../contract/limits.ts'
import type { Language, Translated } from '../../../kit/text/language.ts'

const routes: Record<LimitName, Translated<string>> = {
  'calls.place': { pt: '`POST /calls`', en: '`POST /calls`' },
  'calls.dial': { pt: '`POST /dialer` (obsoleta)', en: '`POST /dialer` (deprecated)' },
  'calls.hangup': {
    pt: '`POST /calls/{id}/hangup` e `POST /calls/hangup`, juntas',
    en: '`POST /calls/{id}/hangup` and `POST /calls/hangup`, together',
  },
  'calls.list': { pt: '`GET /calls`', en: '`GET /calls`' },
  login: { pt: '`POST /users/login`', en: '`POST /users/login`' },
  other: { pt: 'cada uma das outras rotas', en: 'each of the other routes' },
}

const counted: Record<Limit['by'], Translated<string>> = {
  address: { pt: 'endereço IP', en: 'IP address' },
  user: { pt: 'usuário', en: 'user' },
  'user and extension': { pt: 'usuário e ramal', en: 'user and extension' },
}

const heads: Translated<string> = {
  pt: '| Rota | Requisições por minuto | Contadas por |',
  en: '| Route | Requests a minute | Counted by |',
}

export function limitsPart(language: Language): string {
  const rows = Object.entries(limits).map(([name, { max, by }]) => {
    const route = routes[name as LimitName][language]
    return `| ${route} | ${max} | ${counted[by][language]} |`
  })
  return [heads[language], '|---|---|---|', ...rows].join('\n')
}
