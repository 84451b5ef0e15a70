/**
 * `demo`: the whole service in a quarter of a minute. Starts it on a throw-away folder with a softphone, the sandbox
 * carrier and a webhook receiver, makes a recorded call and shows what happens; ends with 1 if any of it does not.
 */

import { writeFile } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { defined } from '../../kit/defined.ts'
import { command } from '../../kit/process/command.ts'
import { say } from '../say.ts'
import { nextStopSignal } from '../stop-signals.ts'
import { readOptions } from '../usage.ts'
import { startService } from './service.ts'
import { runStory, type Story } from './story.ts'
import { createTimeLine, paint, StepFailure } from './time-line.ts'

export const usage = `Usage: ${command} demo [--keep <call.wav>]

--keep copies the recording there; everything else is thrown away.`

const interrupted = 130
const leaveMs = 20_000

export async function run(_config: Config, args: string[]): Promise<number> {
  const { values: options } = readOptions({ args, options: { keep: { type: 'string' } } })
  const closers: (() => Promise<unknown>)[] = []
  try {
    return await show(options, (close) => closers.push(close))
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

type OnEnd = (close: () => Promise<unknown>) => void

async function show({ keep }: DemoOptions, onEnd: OnEnd): Promise<number> {
  const timeLine = createTimeLine()
  const logs: (() => string[])[] = []
  say(`${paint('bold', 'Ramal, from the sign-up to a recorded call')}\n`)
  try {
    timeLine.note('service', 'starting, with the sandbox carrier, on a data folder that is thrown away')
    const service = await timeLine.step('start the service', startService)
    onEnd(service.stop)
    logs.push(service.logLines)
    const ended = await Promise.race([runStory({ service, timeLine, onEnd }), nextStopSignal()])
    if (typeof ended === 'string') {
      // The story still waits for something that will not happen: leave by a timeout if the closers hang.
      onEnd(async () => void setTimeout(() => process.exit(interrupted), leaveMs).unref())
      return interrupted
    }
    if (keep !== undefined) await writeFile(keep, ended.sound.file)
    showCall(ended, keep)
    say(`\nIt took ${timeLine.seconds().toFixed(1)} s. Everything is stopped and thrown away.`)
    return 0
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error
    say(`\n${error.message}`)
    for (const line of logs.flatMap((read) => read())) say(line)
    return 1
  }
}

type DemoOptions = { keep?: string }

function showCall({ record, sound, ourHertz, theirHertz }: Story, kept: string | undefined) {
  const shown = {
    call: record.id,
    from: `${record.from} (${record.first_name} ${record.last_name}), showing ${record.BINA}`,
    to: record.to,
    status: `${record.status}, ${record.hangup_cause}, ${record.duration} s`,
    price: inReais(record),
    metadata: JSON.stringify(record.metadata),
    recording: record.record_url,
    heard: `${sound.seconds.toFixed(1)} s: left ${sound.left} Hz (the phone plays ${ourHertz}), right ${sound.right} Hz (the carrier plays ${theirHertz})`,
    ...defined({ copy: kept }),
  }
  say(`\n${paint('bold', 'The call')}\n`)
  for (const [name, value] of Object.entries(shown)) say(`  ${name.padEnd(10)} ${value}`)
}

function inReais({ call_price: price, minute_price: minute }: Story['record']): string {
  return price === null ? 'not priced' : `R$ ${price} (R$ ${minute} a minute)`
}
