/** E-mail addresses. */

const shape = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

/** The address in lower case, or undefined if it is not one that mail could reach. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase()
  return email.length <= 254 && shape.test(email) ? email : undefined
}
