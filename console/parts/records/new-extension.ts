/** An extension for the person of the session, and what is proposed for it. */
import { request } from '../../api.ts'
import type { Session } from '../../api-types.ts'
import { extensionsKey } from '../../own-extension.ts'
import { queryClient } from '../../session.ts'

/** Until the person enters a name, it is that of the company: their e-mail says more. The last name may be unknown. */
export function suggestPerson({ user, account }: Pick<Session, 'user' | 'account'>) {
  const isCompany = user.name === account.name
  const [address = ''] = user.email.split('@')
  const parts = isCompany ? address.split(/[^\p{L}]+/u).map(capitalise) : user.name.split(' ')
  const [firstName = '', ...rest] = parts.filter((part) => part !== '')
  return { firstName, lastName: rest.join(' ') }
}

const capitalise = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** Takes the next free number; calls are recorded. */
export async function createOwnExtension(session: Session) {
  const { firstName, lastName } = suggestPerson(session)
  const body = {
    first_name: firstName || session.user.name,
    last_name: lastName || session.account.name,
    email_address: session.user.email,
    senha: makeSecret(),
    gravar_audio: 1 as const,
  }
  await request('POST', '/extensions/next-available', { body })
  await queryClient.invalidateQueries({ queryKey: extensionsKey })
}

/** 20 letters and digits that are not mistaken for each other. */
export function makeSecret(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  return [...crypto.getRandomValues(new Uint8Array(20))]
    .map((byte) => letters[byte % letters.length])
    .join('')
}
