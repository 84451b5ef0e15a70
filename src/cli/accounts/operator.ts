/** `operator …`: the first operator, and those who are locked out (D648). */
import type { Services } from '../../app/services/services.ts'
import type { Config } from '../../config.ts'
import { command } from '../../kit/process/command.ts'
import type { Invited } from '../../users/operators/operators.ts'
import { openForCommand } from '../open-services.ts'
import { say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'

export const usage = `Usage: ${command} operator add <e-mail> --name <name>
       ${command} operator list
       ${command} operator reset <e-mail> [--second-factor]
       ${command} operator off <e-mail>
       ${command} operator on <e-mail>

Operators log in at /operator with e-mail, password and the code of an authenticator app.
add prints a set-up link, which works once, for 48 hours: there the operator chooses a password and sets up the app.
reset ends password and sessions and prints another link; with --second-factor for a lost phone, whose codes end, too.
off ends the sessions of an operator, who cannot log in any more; on allows it again. All of it is in the operator's log.`

const options = {
  name: { type: 'string' },
  'second-factor': { type: 'boolean', default: false },
} as const

type Operators = Services['users']['operators']

export async function run(config: Config, args: string[]): Promise<number> {
  const { values, positionals } = readOptions({ args, options, allowPositionals: true })
  const work = readWork(positionals, values)
  const services = await openForCommand(config)
  try {
    await work(services.users.operators)
    return 0
  } finally {
    await services.close()
  }
}

function readWork(
  [verb, email, ...rest]: string[],
  { name, 'second-factor': secondFactor }: { name?: string | undefined; 'second-factor': boolean },
): (operators: Operators) => Promise<void> {
  if (verb === 'list' && email === undefined) return list
  const isKnown = verb !== undefined && ['add', 'reset', 'off', 'on'].includes(verb)
  if (!isKnown || rest.length > 0)
    throw new UsageError('The commands are `operator add`, `list`, `reset`, `off` and `on`.')
  if (email === undefined) throw new UsageError('The e-mail of the operator is needed.')
  if (verb === 'reset') return (operators) => reset(operators, email, secondFactor)
  if (verb !== 'add') return (operators) => setOn(operators, email, verb === 'on')
  if (!name) throw new UsageError('--name is needed.')
  return async (operators) => show(await operators.add({ name, email }))
}

async function list(operators: Operators) {
  const found = await operators.list()
  if (found.length === 0) say(`There are no operators yet. See: ${command} operator add`)
  for (const { email, name, state } of found) say(`${state.padEnd(8)}${email}  ${name}`)
}

async function reset(operators: Operators, email: string, secondFactor: boolean) {
  const invited = await operators.reset(await findId(operators, email), { secondFactor })
  if (!invited) throw unknown(email)
  show(invited)
}

async function setOn(operators: Operators, email: string, isOn: boolean) {
  const operator = await operators.setOn(await findId(operators, email), isOn, {})
  if (!operator) throw unknown(email)
  say(isOn ? `${operator.email} can log in again.` : `${operator.email} is off; all sessions have ended.`)
}

async function findId(operators: Operators, email: string): Promise<number> {
  const id = await operators.findIdByEmail(email)
  if (id === undefined) throw unknown(email)
  return id
}

function show({ operator, link }: Invited) {
  say(`Operator  ${operator.email}`)
  say(`Link      ${link}`)
  say('\nThe link works once, for 48 hours, and is not shown again.')
}

const unknown = (email: string) => new Error(`There is no operator ${email}.`)
