/** An engine with a trunk, and a desk phone: our own softphone, which answers at once and plays a tone. */
import { expect, type TestContext, vi } from 'vitest'
import { type AudioSource, toneSource } from '../../../src/engine/endpoint/audio/audio-source.ts'
import { createSoftphone, type PhoneEvent } from '../../../src/engine/endpoint/softphone/softphone.ts'
import type { CallEvent, CallRequest } from '../../../src/engine/port.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { systemTimers } from '../../../src/kit/timers.ts'
import { createJournal } from '../peers/journal.ts'
import { createFastForwardTimers } from './fast-forward-timers.ts'
import { callRequest, domain, openTestHost, passwordOf, type TestHost } from './test-host.ts'

/** A test at whose end things are stopped, the last first. */
export type TestScope = Pick<TestContext, 'onTestFinished'>

export function keep<One extends { stop(): Promise<unknown> }>(scope: TestScope, one: One): One {
  scope.onTestFinished(async () => void (await one.stop()))
  return one
}

/** Waits for a check to pass, also on a busy machine. */
export const soon = (look: () => unknown, timeout = 10_000) => vi.waitFor(look, { timeout, interval: 20 })

/** The tone of the desk phone; SIPp plays 1000 Hz by default. */
export const deskHertz = 440

type Options = Omit<NonNullable<Parameters<typeof openTestHost>[0]>, 'timers'>
type DeskOptions = {
  number?: string
  transport?: 'udp' | 'tcp' | 'ws'
  answer?: 'auto' | 'ask'
  /** By default a tone. */
  play?: () => AudioSource
  /** Instead of the engine's own port: that of a lossy proxy before it. */
  port?: number
}

/** With a trunk called `carrier` at that port, unless the options name others. */
export async function openEngineSetup(carrierPort: number, options: Options = {}) {
  const timers = createFastForwardTimers()
  const address = `sip:127.0.0.1:${carrierPort}`
  const testHost = await openTestHost({
    timers,
    trunks: [{ name: 'carrier', address, qualifySeconds: 0 }],
    ...options,
  })
  const { engine } = testHost
  const idle = idleMetrics(testHost)

  return {
    ...testHost,
    pass: timers.pass,
    /** Places a call; its events. */
    place(change: Partial<CallRequest> = {}) {
      const request = callRequest(change)
      const { callId } = request
      engine.place(request)
      return {
        callId,
        until: (type: CallEvent['type'], within?: number) => testHost.until(callId, type, within),
        ended: (within?: number) => endOf(testHost, callId, within),
      }
    },
    /** Returns when the other side of the one call is dialled too: from then on its timers run. */
    dialled: () => soon(() => expect(engine.metrics().sip_legs).toBe(2)),
    /**
     * No call leaves anything behind: no leg, no channel, no port, and, once retransmissions have timed out, no
     * transaction.
     */
    async isAtRest() {
      await soon(() => expect(engine.metrics()).toMatchObject(idle))
      await timers.pass(40)
      const withoutTransactions = { ...idle, sip_transactions_client: 0, sip_transactions_server: 0 }
      await soon(() => expect(engine.metrics()).toMatchObject(withoutTransactions))
    },
  }
}
export type EngineSetup = Awaited<ReturnType<typeof openEngineSetup>>

const idleMetrics = ({ engine }: Pick<TestHost, 'engine'>) => ({
  calls: 0,
  sip_legs: 0,
  trunk_channels_used: 0,
  media_calls: 0,
  media_free_port_pairs: engine.metrics().media_free_port_pairs,
})

/** The end of a call, after checking that it came once and last. */
async function endOf(testHost: TestHost, callId: string, within?: number) {
  const end = await testHost.until(callId, 'ended', within)
  if (end.type !== 'ended') throw new Error('not the end')
  const events = testHost.calls.filter((event) => event.callId === callId)
  expect(events.filter(({ type }) => type === 'ended')).toEqual([end])
  expect(events.at(-1)).toBe(end)
  const { cause, by, recording } = end
  return { events: events.map(({ type }) => type), cause, by, recording }
}

/** Registered when it returns. */
export async function startDeskPhone(testHost: TestHost, options: DeskOptions = {}) {
  const { number = '1000', transport = 'udp', answer = 'auto' } = options
  const events = createJournal<PhoneEvent>(`softphone ${number}`)
  const { play = () => toneSource(deskHertz) } = options
  let packetsSent = 0
  const countPackets = (source: AudioSource): AudioSource => ({
    ...source,
    next(codec) {
      packetsSent += 1
      return source.next(codec)
    },
  })
  const port = options.port ?? (transport === 'ws' ? (testHost.engine.ports().ws ?? 0) : testHost.port)
  const phone = await createSoftphone({
    extension: number,
    password: passwordOf(number),
    domain,
    transport,
    answer,
    server: { address: '127.0.0.1', port },
    play: () => countPackets(play()),
    timers: systemTimers,
    log: createLog('silent'),
    onEvent: events.write,
  })
  await testHost.registered(number)
  return {
    ...phone,
    events: events.entries,
    until: events.until,
    /** Long enough that the engine has received something. */
    hasTalked: () => soon(() => expect(packetsSent).toBeGreaterThan(10)),
  }
}
export type DeskPhone = Awaited<ReturnType<typeof startDeskPhone>>
