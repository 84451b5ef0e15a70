/** The cookie of a console session (D296, D320): written for browsers only, and never readable by a script. */

export function createSessionCookie(isSecure: boolean, plainName = 'ramal') {
  // The prefix keeps pages of sibling domains from setting it (RFC 6265bis); browsers demand HTTPS for it.
  const name = isSecure ? `__Host-${plainName}` : plainName
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

  return {
    /** Without `seconds` it ends with the browser. */
    write: (value: string, seconds?: number) =>
      `${name}=${value}; ${attributes}${seconds === undefined ? '' : `; Max-Age=${seconds}`}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
    /** The value in a Cookie header. */
    read(header: string | undefined): string | undefined {
      for (const pair of header?.split(';') ?? []) {
        const [key = '', value = ''] = pair.trim().split('=', 2)
        if (key === name && value !== '') return value
      }
      return undefined
    },
  }
}
export type SessionCookie = ReturnType<typeof createSessionCookie>
