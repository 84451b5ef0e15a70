/** The Authorization header (D50): the bare token, or the token after `Bearer`. */
export function readToken(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined
  const token = header.replace(/^Bearer\s+/i, '').trim()
  return token === '' ? undefined : token
}
