/**
 * `phone`: a softphone at the terminal. Exit codes: 0 success; 2 a mistake on the command line; 3 the server refuses
 * the registration; 4 the server does not answer; 5 the only call was not answered.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'
import {
  createSoftphone,
  type PhoneEvent,
  type Softphone,
} from '../../engine/endpoint/softphone/softphone.ts'
import { createLog } from '../../kit/process/log.ts'
import { systemTimers } from '../../kit/timers.ts'
import { say } from '../say.ts'
import { stopSignals } from '../stop-signals.ts'
import { findSipServer } from './find-sip-server.ts'
import { formatAsJson, formatAsText } from './format-phone-event.ts'
import { type PhoneOptions, readPhoneOptions } from './phone-options.ts'

export { usage } from './phone-options.ts'

const mainProgram = fileURLToPath(new URL('../../main.ts', import.meta.url))

const exits = { fine: 0, refused: 3, unreachable: 4, unanswered: 5 }

export async function run(config: Config, args: string[]): Promise<number> {
  const options = await readPhoneOptions(args, {
    env: process.env,
    isTerminal: process.stdin.isTTY === true,
    findServer: (transport, api) => findSipServer(config, transport, api),
  })
  return options.background ? await runInBackground(args) : await runPhone(options)
}

const registeredMessage = 'registered'

/** Starts the phone as a process of its own and waits until it is registered. Returns its exit code if it ends before. */
async function runInBackground(args: string[]): Promise<number> {
  const foreground = args.filter((arg) => arg !== '--background')
  // In a session of its own, without the keyboard: at a terminal the shell would stop a background job that wants it.
  const child = spawn(process.execPath, [...process.execArgv, mainProgram, 'phone', ...foreground], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  const registered = once(child, 'message').then(() => exits.fine)
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => code ?? 1)
  const code = await Promise.race([registered, ended])
  if (child.connected) child.disconnect()
  child.unref()
  return code
}

async function runPhone(options: PhoneOptions): Promise<number> {
  const { promise: done, resolve: end } = Promise.withResolvers<number>()
  const onEvent = (event: PhoneEvent) => {
    say(options.json ? formatAsJson(event, new Date()) : formatAsText(event, options))
    react(event)
  }
  let registered = false
  let answered = false

  /** Dials once registered, and ends when there is nothing left to do. */
  function react(event: PhoneEvent) {
    if (event.type === 'registered' && !registered) {
      registered = true
      process.send?.(registeredMessage)
      if (options.call !== undefined) void dial(options.call)
    }
    if (event.type === 'registrationFailed') {
      if (event.retrySeconds === undefined) end(exits.refused)
      else if (!registered) end(exits.unreachable)
    }
    if (event.type === 'answered') answered = true
    if (event.type === 'ended' && options.once) end(answered ? exits.fine : exits.unanswered)
  }

  const { extension, domain, server, transport } = options
  if (!options.json)
    say(`registering ${extension}@${domain} at ${server.address}:${server.port} by ${transport}`)
  const log = createLog('warn', {
    format: process.stderr.isTTY ? 'pretty' : 'json',
    destination: process.stderr,
  })
  const phone = await createSoftphone({ ...options, timers: systemTimers, log, onEvent })
  const dial = (number: string) =>
    phone.call(number).catch((error: unknown) => {
      log.error({ err: error }, 'the call could not be placed')
      end(exits.unanswered)
    })
  // The process that started it in the background is gone without having waited for it.
  process.once('disconnect', () => {
    if (!registered) end(exits.unreachable)
  })
  const stopListening = listenToKeys(phone, () => end(exits.fine))
  try {
    return await done
  } finally {
    stopListening()
    await phone.stop()
    // The channel to the process that started it in the background would keep the process alive.
    if (process.connected) process.disconnect()
  }
}

/** A terminal delivers single keys, a pipe many at once. */
function listenToKeys(phone: Softphone, quit: () => void): () => void {
  const { stdin } = process
  const onKeys = (typed: Buffer) => {
    for (const key of typed.toString()) press(phone, key, quit)
  }
  if (stdin.isTTY) stdin.setRawMode(true)
  stdin.on('data', onKeys)
  for (const name of stopSignals) process.on(name, quit)
  return () => {
    if (stdin.isTTY) stdin.setRawMode(false)
    stdin.off('data', onKeys).pause()
    for (const name of stopSignals) process.off(name, quit)
  }
}

const interrupt = '\u0003'

function press(phone: Softphone, key: string, quit: () => void) {
  if (key === 'a') void phone.answer()
  else if (key === 'r') phone.refuse()
  else if (key === 'h') phone.hangUp()
  else if (/[\d*#]/.test(key)) phone.press(key)
  else if (key === 'q' || key === interrupt) quit()
}
