/** `console build`: the web console, so that no start of the service has to build it (D310). */
import type { Config } from '../config.ts'
import { startConsoleBuild } from '../http/console/console-build.ts'
import { command } from '../kit/process/command.ts'
import { createLog } from '../kit/process/log.ts'
import { say } from './say.ts'
import { readOptions, UsageError } from './usage.ts'

export const usage = `Usage: ${command} console build

Builds the web console now, if its sources have changed since it was built. The service does it at its start otherwise:
build it beforehand for images, and where the service may not write beside its sources.`

export async function run({ dataDir }: Config, args: string[]): Promise<number> {
  const { positionals } = readOptions({ args, options: {}, allowPositionals: true })
  if (positionals.join(' ') !== 'build') throw new UsageError('The only command is `console build`.')
  const build = startConsoleBuild({ dataDir, log: createLog('silent') })
  await build.finished
  const outcome = build.read()
  say(
    outcome.state === 'failed'
      ? `The console could not be built: ${outcome.reason}`
      : 'The console is built.',
  )
  return outcome.state === 'ready' ? 0 : 1
}
