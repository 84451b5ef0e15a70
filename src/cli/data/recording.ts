/** `recording export`: the recording of a call as a file, decrypted if it is encrypted. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { openServices } from '../../app/services/services.ts'
import type { Config } from '../../config.ts'
import { Refusal } from '../../contract/errors.ts'
import { command } from '../../kit/process/command.ts'
import { createLog } from '../../kit/process/log.ts'
import { say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'
import { fileProblem } from './file-problem.ts'

export const usage = `Usage: ${command} recording export --call <id> --to <file.wav>

Writes the recording of a call, decrypted if it is encrypted, into a new file that only you can read.`

const options = { call: { type: 'string' }, to: { type: 'string' } } as const

export async function run(config: Config, args: string[]): Promise<number> {
  const { values, positionals } = readOptions({ args, options, allowPositionals: true })
  const { call, to } = values
  if (positionals.join(' ') !== 'export') throw new UsageError('The only command is `recording export`.')
  if (!call || !to) throw new UsageError('--call and --to are needed.')
  const services = await openServices(config, { log: createLog('error') })
  try {
    const recording = await services.calls.recordings.open(call, 'operator')
    await pipeline(recording.read(), createWriteStream(to, { flags: 'wx', mode: 0o600 }))
    say(`${recording.bytes} bytes written to ${to}.`)
    return 0
  } catch (error) {
    if (!(error instanceof Refusal)) throw fileProblem(error, to, 'written')
    throw new Error(`Call ${call} has no recording.`, { cause: error })
  } finally {
    await services.close()
  }
}
