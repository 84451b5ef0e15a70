/** A house with somebody at a desk: our own softphone, which picks up at once and says a tone. */
import { expect, type TestContext, vi } from 'vitest'
import { type AudioSource, toneSource } from '../../src/engine/endpoint/audio/audio-source.ts'
import { createSoftphone, type PhoneEvent } from '../../src/engine/endpoint/softphone/softphone.ts'
import type { CallEvent, CallRequest } from '../../src/engine/port.ts'
import { createLog } from '../../src/kit/log.ts'
import { systemTimers } from '../../src/kit/timers.ts'
import { domain, type EngineHouse, openHouse, passwordOf, placing } from './house.ts'
import { hurryTimers } from './hurry-timers.ts'
import { createJournal } from './witnesses/journal.ts'

/** A test, as far as it ends: what it keeps is stopped then, the last first. */
export type Stage = Pick<TestContext, 'onTestFinished'>

export function keep<One extends { stop(): Promise<unknown> }>(stage: Stage, one: One): One {
  stage.onTestFinished(async () => void (await one.stop()))
  return one
}

/** For what comes in a moment, on a machine that has much else to do. */
export const soon = (look: () => unknown, timeout = 10_000) => vi.waitFor(look, { timeout, interval: 20 })

/** What the desk says; SIPp says 1000 Hz unless told otherwise. */
export const deskHertz = 440

type Options = Omit<NonNullable<Parameters<typeof openHouse>[0]>, 'timers'>
type DeskOptions = {
  number?: string
  transport?: 'udp' | 'tcp' | 'ws'
  answer?: 'auto' | 'ask'
  /** A tone unless told otherwise. */
  play?: () => AudioSource
  /** Instead of the house's own port, as that of a bad network before it. */
  port?: number
}

/** With a trunk called `carrier` at that port, unless the options have others. */
export async function openOffice(carrierPort: number, options: Options = {}) {
  const timers = hurryTimers()
  const address = `sip:127.0.0.1:${carrierPort}`
  const house = await openHouse({
    timers,
    trunks: [{ name: 'carrier', address, qualifySeconds: 0 }],
    ...options,
  })
  const { engine } = house
  const atRest = restingFigures(house)

  return {
    ...house,
    pass: timers.pass,
    /** The placed call, and all that is told of it. */
    place(change: Partial<CallRequest> = {}) {
      const wish = placing(change)
      const { callId } = wish
      engine.place(wish)
      return {
        callId,
        until: (type: CallEvent['type'], within?: number) => house.until(callId, type, within),
        ended: (within?: number) => endOf(house, callId, within),
      }
    },
    /**
     * Nothing is left of any call: no leg, no channel, no port, and, once the repetitions of the last words have had
     * their time, no transaction.
     */
    async isAtRest() {
      await soon(() => expect(engine.metrics()).toMatchObject(atRest))
      await timers.pass(40)
      const forgotten = { ...atRest, sip_transactions_client: 0, sip_transactions_server: 0 }
      await soon(() => expect(engine.metrics()).toMatchObject(forgotten))
    },
  }
}
export type Office = Awaited<ReturnType<typeof openOffice>>

const restingFigures = ({ engine }: Pick<EngineHouse, 'engine'>) => ({
  calls: 0,
  sip_legs: 0,
  trunk_channels_used: 0,
  media_calls: 0,
  media_free_port_pairs: engine.metrics().media_free_port_pairs,
})

/** The last thing told of a call, after looking that it was told once and last. */
async function endOf(house: EngineHouse, callId: string, within?: number) {
  const end = await house.until(callId, 'ended', within)
  if (end.type !== 'ended') throw new Error('not the end')
  const told = house.calls.filter((event) => event.callId === callId)
  expect(told.filter(({ type }) => type === 'ended')).toEqual([end])
  expect(told.at(-1)).toBe(end)
  const { cause, by, recording } = end
  return { told: told.map(({ type }) => type), cause, by, recording }
}

/** Registered when it returns. */
export async function sitDown(house: EngineHouse, options: DeskOptions = {}) {
  const { number = '1000', transport = 'udp', answer = 'auto' } = options
  const events = createJournal<PhoneEvent>(`softphone ${number}`)
  const port = options.port ?? (transport === 'ws' ? (house.engine.ports().ws ?? 0) : house.port)
  const phone = await createSoftphone({
    extension: number,
    password: passwordOf(number),
    domain,
    transport,
    answer,
    server: { address: '127.0.0.1', port },
    play: options.play ?? (() => toneSource(deskHertz)),
    timers: systemTimers,
    log: createLog('silent'),
    onEvent: events.write,
  })
  await house.registered(number)
  return { ...phone, events: events.entries, until: events.until }
}
export type Desk = Awaited<ReturnType<typeof sitDown>>
