/**
 * D146: the mark of a browser in which a user has logged in: a random id, and a signature for each of its last users. It opens
 * nothing by itself; it only keeps the failed logins of others from counting against this browser.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Vault } from '../../kit/vault.ts'

const purpose = 'known browser'
const maxUsers = 5
const maxLength = 400

export function createKnownBrowsers({ vault }: { vault: Vault }) {
  const textOf = (userUuid: string, id: string) => `${userUuid}\n${id}`

  /** The id of the browser if this user has logged in there. */
  function idFor(mark: string | undefined, userUuid: string): string | undefined {
    const { id, signatures } = read(mark)
    const genuine = vault.signWithAll(purpose, textOf(userUuid, id))
    return signatures.some((one) => genuine.some((other) => isSame(one, other))) ? id : undefined
  }

  /** The mark of the browser from now on. */
  function remember(mark: string | undefined, userUuid: string): string {
    if (idFor(mark, userUuid) !== undefined && mark !== undefined) return mark
    const { id, signatures } = read(mark)
    const added = vault.sign(purpose, textOf(userUuid, id))
    const kept = [...signatures, added].slice(-maxUsers).map((one) => one.toString('base64url'))
    return [id, ...kept].join('.')
  }

  return { idFor, remember }
}
export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>

function read(mark: string | undefined) {
  const [id = '', ...signatures] = mark !== undefined && mark.length <= maxLength ? mark.split('.') : []
  if (!/^[\w-]{22}$/.test(id)) return { id: randomBytes(16).toString('base64url'), signatures: [] }
  return { id, signatures: signatures.slice(-maxUsers).map((one) => Buffer.from(one, 'base64url')) }
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
