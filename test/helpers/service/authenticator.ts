/** An authenticator app: takes the secret as it is shown, and makes codes by a clock. */
import { execFileSync } from 'node:child_process'
import { codeAt, stepAt } from '../../../src/users/second-factor/totp.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** The code at a time; `steps` later or earlier than it. */
export function appCode(secret: string, now: Date, steps = 0): string {
  return codeAt(fromBase32(secret), stepAt(now) + steps)
}

/** The code of another program, oathtool. */
export function oathtoolCode(secret: string, now: Date): string {
  const time = now.toISOString().replace('T', ' ').replace(/\..*/, ' UTC')
  const options = ['--totp', '--base32', '--now', time, secret]
  return execFileSync('oathtool', options, { encoding: 'utf8' }).trim()
}
