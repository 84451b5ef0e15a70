const shape = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

/** Returns the address in lower case; undefined if it is not a valid e-mail address. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && shape.test(email) ? email : undefined
}
