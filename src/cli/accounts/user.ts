/** `user …`: what an operator does for a user who cannot help themselves. */
import { text } from 'node:stream/consumers'
import type { Services } from '../../app/services/services.ts'
import type { Config } from '../../config.ts'
import { randomBase62 } from '../../kit/ids.ts'
import { command } from '../../kit/process/command.ts'
import { openForCommand } from '../open-services.ts'
import { say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'

export const usage = `Usage: ${command} user password --email <address> [--stdin]
       ${command} user second-factor off <address>

password sets a new password and ends all access tokens of the user. The password is made and printed,
or with --stdin read as one line: echo "$PASSWORD" | ${command} user password --email <address> --stdin

second-factor off disables the second factor of a user who lost phone and recovery codes. Make sure that the
person who asks is the user: from then on the password is enough to log in. The user gets a mail.`

const optionTypes = {
  email: { type: 'string' },
  stdin: { type: 'boolean', default: false },
} as const

/** Returns the exit code. */
type Command = (services: Services) => Promise<number>

export async function run(config: Config, args: string[]): Promise<number> {
  const command = await readCommand(args)
  const services = await openForCommand(config)
  try {
    return await command(services)
  } finally {
    await services.close()
  }
}

async function readCommand(args: string[]): Promise<Command> {
  const { values, positionals } = readOptions({ args, options: optionTypes, allowPositionals: true })
  const { email, stdin } = values
  const [word, action, address, ...rest] = positionals
  if (word === 'password' && action === undefined) {
    if (!email) throw new UsageError('--email is needed.')
    const password = stdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : randomBase62(20)
    return (services) => setPassword(services, email, password, !stdin)
  }
  if (word === 'second-factor' && action === 'off' && rest.length === 0) {
    const wanted = address ?? email
    if (!wanted) throw new UsageError('The address of the user is needed.')
    return (services) => turnOffSecondFactor(services, wanted)
  }
  throw new UsageError('The commands are `user password` and `user second-factor off`.')
}

async function setPassword({ users }: Services, email: string, password: string, isShown: boolean) {
  if (!(await users.passwordChanges.setByOperator(email, password))) throw unknown(email)
  say(`User      ${email}`)
  if (isShown) say(`Password  ${password}`)
  say('\nThe new password is set, and all access tokens of the user have ended.')
  return 0
}

async function turnOffSecondFactor({ users }: Services, email: string) {
  const wasEnabled = await users.secondFactors.disableByOperator(email)
  if (wasEnabled === undefined) throw unknown(email)
  if (!wasEnabled) throw new Error(`The second factor of ${email} is not enabled.`)
  say(`The second factor of ${email} is disabled. The password is enough to log in.`)
  return 0
}

const unknown = (email: string) => new Error(`There is no user ${email}.`)
