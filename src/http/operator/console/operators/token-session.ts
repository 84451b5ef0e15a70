/** The session of a browser for the operator token: a signed end, stored nowhere (D320). */
import { createHmac } from 'node:crypto'
import type { Clock } from '../../../../kit/clock.ts'
import { sessionSeconds } from '../../../../users/operators/operator.ts'
import { isSameSecret } from '../../same-secret.ts'

export function newTokenSession(token: string, clock: Clock): string {
  const end = Math.floor(clock.now().getTime() / 1000) + sessionSeconds
  return `${end}.${sign(end, token)}`
}

/** The token of a named operator's session has no dot. */
export const isTokenSession = (value: string) => value.includes('.')

export function isValidTokenSession(value: string, token: string, clock: Clock): boolean {
  const [end = '', signature = ''] = value.split('.')
  if (!/^\d{1,12}$/.test(end) || Number(end) * 1000 <= clock.now().getTime()) return false
  return isSameSecret(signature, sign(Number(end), token))
}

/** Every process can check it, and another token ends all sessions. */
function sign(end: number, token: string): string {
  return createHmac('sha256', token).update(`operator console until ${end}`).digest('base64url')
}
