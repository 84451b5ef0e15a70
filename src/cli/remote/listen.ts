/** `listen`: events of an account, sent to a receiver on this machine as webhooks, without a tunnel (D570). */
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../../../clients/typescript/src/index.ts'
import { webhookTypes } from '../../contract/webhooks/events.ts'
import { command } from '../../kit/process/command.ts'
import { complain, say } from '../say.ts'
import { stopSignals } from '../stop-signals.ts'
import { readOptions, UsageError } from '../usage.ts'
import { endOfFeed, type FedEvent, type FeedStart, readFeed } from './event-feed.ts'
import {
  createForwarder,
  describeDelivery,
  isAccepted,
  type Receiver,
  readReceiver,
  receiverOptions,
  receiverUsage,
} from './local-receiver.ts'
import {
  explainFailure,
  isTransient,
  openRemote,
  type RemoteService,
  readRemote,
  remoteOptions,
  remoteUsage,
} from './remote-service.ts'

export const usage = `Usage: ${command} listen [--forward-to <url>] [options]

Reads the events of your account and posts each to your receiver, signed as a webhook, until you press Ctrl-C. Nothing
has to reach this machine from outside. It begins with the next event, or where --since or --after say.

${receiverUsage}
${remoteUsage}
  --since <time>         replays: 30s, 15m, 2h, 1d ago, or 2026-11-15T12:30:00Z
  --after <cursor>       goes on behind an event; each failed line names the cursor before it
  --events <types>       only these, separated by commas
  --json                 one JSON object a line

Types: ${webhookTypes.join(', ')}.
Besides channel-answer and channel-hangup, an event is written only if an integration of the account lists its type.`

/** 30 requests a minute: half of what an address may send (D103). */
const pollMs = 2_000
const maxBackOffMs = 30_000

type Listening = {
  remote: RemoteService
  receiver: Receiver
  start: FeedStart
  isWanted: (type: string) => boolean
  json: boolean
}

export async function runRemote(env: NodeJS.ProcessEnv, args: string[]): Promise<number> {
  const listening = readListening(env, args)
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  for (const name of stopSignals) process.on(name, onSignal)
  const forwarder = createForwarder(listening.receiver)
  try {
    await listen(listening, forwarder, stop.signal)
    return 0
  } finally {
    for (const name of stopSignals) process.off(name, onSignal)
    await forwarder.close()
  }
}

function readListening(env: NodeJS.ProcessEnv, args: string[]): Listening {
  const { values } = readOptions({
    args,
    options: {
      ...remoteOptions,
      ...receiverOptions,
      since: { type: 'string' },
      after: { type: 'string' },
      events: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const remote = readRemote(values, env)
  return {
    remote,
    receiver: readReceiver(values, env, remote.token),
    start: readStart(values, new Date()),
    isWanted: readTypes(values.events),
    json: values.json,
  }
}

function readTypes(text: string | undefined): (type: string) => boolean {
  if (text === undefined) return () => true
  const types = text.split(',').map((type) => type.trim())
  const unknown = types.find((type) => !webhookTypes.some((known) => known === type))
  if (unknown !== undefined)
    throw new UsageError(`There is no event ${unknown}: they are ${webhookTypes.join(', ')}.`)
  return (type) => types.includes(type)
}

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

export function readStart(given: { since?: string; after?: string }, now: Date): FeedStart {
  const { since, after } = given
  if (since !== undefined && after !== undefined)
    throw new UsageError('--since and --after exclude each other.')
  if (after !== undefined) {
    if (!/^\d{1,15}$/.test(after)) throw new UsageError('--after is a cursor: digits, as a line shows them.')
    return { after }
  }
  if (since === undefined) return endOfFeed
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(since) ?? []
  const at = count ? now.getTime() - Number(count) * (unitSeconds[unit] ?? 0) * 1000 : Date.parse(since)
  if (Number.isNaN(at))
    throw new UsageError('--since is 30s, 15m, 2h or 1d, or a time such as 2026-11-15T12:30:00Z.')
  return { since: new Date(at).toISOString() }
}

type Forwarder = ReturnType<typeof createForwarder>

async function listen(listening: Listening, forwarder: Forwarder, stop: AbortSignal): Promise<void> {
  const { remote, receiver, json } = listening
  const ramal = openRemote(remote, 0)
  let start = listening.start
  let failures = 0
  let isReady = false
  while (!stop.aborted) {
    try {
      const page = await readFeed(ramal, start, stop)
      if (!isReady) announce(remote, receiver)
      else if (failures > 0) complain(`Connected to ${remote.url} again.`)
      isReady = true
      failures = 0
      for (const event of page.events) {
        if (stop.aborted) return
        if (listening.isWanted(event.type)) await forward(event, forwarder, json)
        start = { after: event.cursor }
      }
      start = { after: page.cursor }
      if (!page.more) await rest(pollMs, stop)
    } catch (error) {
      if (stop.aborted) return
      if (!isReady || !isTransient(error)) throw explainFailure(error, remote.url)
      if (failures === 0) complain(`Lost the service, and trying again: ${error.message}`)
      failures += 1
      await rest(waitAfter(error, failures), stop)
    }
  }
}

/** To standard error, so that standard output has the events alone. */
function announce({ url }: RemoteService, { shown, secret }: Receiver) {
  complain(`Events of ${url} go to ${shown}; Ctrl-C ends it.`)
  complain(`Secret of the signatures: ${secret} (start a sample receiver with WEBHOOK_SECRET=${secret})`)
}

async function forward(event: FedEvent, forwarder: Forwarder, json: boolean) {
  const result = await forwarder.send(event)
  const at = new Date()
  if (json) {
    const { cursor, type, id, sequence } = event
    const { status, ms, error } = result
    say(JSON.stringify({ at: at.toISOString(), cursor, type, id, sequence, status, ms, error }))
    return
  }
  // D571: cursors are whole numbers in the order of the feed.
  const again = isAccepted(result) ? '' : `  (again: --after ${Number(event.cursor) - 1})`
  say(`${describeDelivery(event, result, at)}${again}`)
}

function waitAfter(error: unknown, failures: number): number {
  const asked = error instanceof ApiError ? error.retryAfter : undefined
  return asked === undefined ? Math.min(500 * 2 ** failures, maxBackOffMs) : asked * 1000
}

/** Ends with the signal, too. */
async function rest(ms: number, stop: AbortSignal) {
  await pause(ms, undefined, { signal: stop }).catch(() => {})
}
