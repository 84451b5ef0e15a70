/** The Authorization header (D50): the bare token, or the token after `Bearer`. */
import { type Refusal, refuse } from '../../contract/errors.ts'

export function readToken(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined
  const token = header.replace(/^Bearer\s+/i, '').trim()
  return token === '' ? undefined : token
}

/** A token has no spaces: a word before it is another scheme, such as Basic. */
const otherScheme = /^(?!Bearer\s)([a-z][\w-]{0,30})\s+\S/i

/** A client that writes `Bearer` itself was given a token with `Bearer` before it. */
const doubleBearer = /^Bearer\s+Bearer\s/i

/** For a token that is unknown. `header`: as it was sent, or the token that was read from it. */
export function refuseToken(header: string | undefined): Refusal {
  if (doubleBearer.test(header ?? '')) {
    return refuse('INVALID_TOKEN', {
      message: {
        en: 'Authorization has `Bearer` twice. Give your HTTP client the token alone.',
        pt: 'Authorization tem `Bearer` duas vezes. Passe ao seu cliente HTTP só o token.',
      },
    })
  }
  const [, scheme] = otherScheme.exec(header ?? '') ?? []
  if (scheme === undefined) return refuse('INVALID_TOKEN')
  return refuse('INVALID_TOKEN', {
    message: {
      en: `The service takes an access token in Authorization, alone or after \`Bearer\`, and not ${scheme}.`,
      pt: `O serviço aceita um token de acesso em Authorization, sozinho ou depois de \`Bearer\`, e não ${scheme}.`,
    },
  })
}
