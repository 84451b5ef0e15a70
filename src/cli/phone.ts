/**
 * `phone`: a softphone at the terminal. Ends with 0; 2 for a mistake on the command line, 3 when the server refuses
 * to register us, 4 when it does not answer, 5 when the one call it was to have was not answered.
 */
import type { Config } from '../config.ts'
import { createSoftphone, type PhoneEvent, type Softphone } from '../engine/endpoint/softphone/softphone.ts'
import { createLog } from '../kit/log.ts'
import { systemTimers } from '../kit/timers.ts'
import { type PhoneOptions, PhoneRefusal, readPhoneOptions, usage } from './phone-options.ts'
import { inJson, inWords } from './phone-words.ts'
import { say } from './say.ts'

const exits = { fine: 0, usage: 2, refused: 3, unreachable: 4, unanswered: 5 }

export async function run(_config: Config, args: string[]): Promise<number> {
  try {
    const options = await readPhoneOptions(args, process.env, process.stdin.isTTY === true)
    return await use(options)
  } catch (error) {
    if (!(error instanceof PhoneRefusal)) throw error
    say(`${error.message}\n\n${usage}`)
    return exits.usage
  }
}

async function use(options: PhoneOptions): Promise<number> {
  const { promise: done, resolve: end } = Promise.withResolvers<number>()
  const tell = (event: PhoneEvent) => {
    say(options.json ? inJson(event, new Date()) : inWords(event, options))
    judge(event)
  }
  let registered = false
  let answered = false

  /** What an event means for a phone that has but one thing to do. */
  function judge(event: PhoneEvent) {
    if (event.type === 'registered' && !registered) {
      registered = true
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
  const log = createLog('warn', process.stderr)
  const phone = await createSoftphone({ ...options, timers: systemTimers, log, tell })
  const dial = (number: string) =>
    phone.call(number).catch((error: unknown) => {
      log.error({ err: error }, 'the call could not be placed')
      end(exits.unanswered)
    })
  const letGo = listenToKeys(phone, () => end(exits.fine))
  try {
    return await done
  } finally {
    letGo()
    await phone.stop()
  }
}

/** Keys come one by one at a terminal, and in heaps from a pipe. */
function listenToKeys(phone: Softphone, quit: () => void): () => void {
  const { stdin } = process
  const onKeys = (typed: Buffer) => {
    for (const key of typed.toString()) press(phone, key, quit)
  }
  if (stdin.isTTY) stdin.setRawMode(true)
  stdin.on('data', onKeys)
  process.on('SIGINT', quit)
  process.on('SIGTERM', quit)
  return () => {
    if (stdin.isTTY) stdin.setRawMode(false)
    stdin.off('data', onKeys).pause()
    process.off('SIGINT', quit)
    process.off('SIGTERM', quit)
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
