/** Command lines: options of a verb, and mistakes in them. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** A mistake on the command line, as a sentence for the user. The verb ends with 2 and a hint to its help. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Throws UsageError for an unknown option or a missing value. */
export function readOptions<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs<T>({ ...config, args: joinNegativeNumbers(config) })
  } catch (cause) {
    const [sentence = ''] = (cause instanceof Error ? cause.message : String(cause)).split(/(?<=[.])\s/)
    throw new UsageError(sentence.endsWith('.') ? sentence : `${sentence}.`, { cause })
  }
}

/** `--amount -5.00` is `--amount=-5.00`: no option of ours begins with a digit. */
function joinNegativeNumbers({ args = [], options = {} }: ParseArgsConfig): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const before = joined.at(-1) ?? ''
    const takesValue = before.startsWith('--') && options[before.slice(2)]?.type === 'string'
    if (takesValue && /^-\d/.test(arg)) joined[joined.length - 1] = `${before}=${arg}`
    else joined.push(arg)
  }
  return joined
}

/** For verbs that take no options. */
export function refuseOptions(args: string[]): void {
  readOptions({ args, options: {} })
}

/** `--help` or `-h` anywhere, or `help` as the first word. */
export function asksForHelp(args: string[]): boolean {
  const end = args.indexOf('--')
  const before = end === -1 ? args : args.slice(0, end)
  return args[0] === 'help' || before.some((arg) => arg === '--help' || arg === '-h')
}
