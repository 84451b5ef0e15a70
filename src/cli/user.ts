/** `user password`: a new password for a user who cannot get one by mail; it is read from stdin, or made and printed. */
import { text } from 'node:stream/consumers'
import { openServices } from '../app/services.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import { randomBase62 } from '../kit/ids.ts'
import { createLog } from '../kit/log.ts'
import { say } from './say.ts'
import { readOptions, UsageError } from './usage.ts'

export const usage = `Usage: npm run ramal -- user password --email <address> [--stdin]

Sets a new password and ends all access tokens of the user. The password is made and printed,
or with --stdin read as one line: echo "$PASSWORD" | npm run ramal -- user password --email <address> --stdin`

const optionTypes = {
  email: { type: 'string' },
  stdin: { type: 'boolean', default: false },
} as const

export async function run(config: Config, args: string[]): Promise<number> {
  const { email, stdin } = readUser(args)
  const password = stdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : randomBase62(20)
  const services = await openServices(config, { log: createLog('error') })
  try {
    if (!(await services.users.passwordChanges.setByOperator(email, password))) {
      say(`There is no user ${email}.`)
      return 1
    }
    say(`User      ${email}`)
    if (!stdin) say(`Password  ${password}`)
    say('\nThe new password is set, and all access tokens of the user have ended.')
    return 0
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    say(error.message)
    return 1
  } finally {
    await services.close()
  }
}

function readUser(args: string[]) {
  const { values, positionals } = readOptions({ args, options: optionTypes, allowPositionals: true })
  const { email, stdin } = values
  if (positionals.join(' ') !== 'password') throw new UsageError('The only command is `user password`.')
  if (!email) throw new UsageError('--email is needed.')
  return { email, stdin }
}
