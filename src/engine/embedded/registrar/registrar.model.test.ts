/** The registrar under any order of registrations, refreshes, restarts, goodbyes, lost connections and time. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runModel, type Step } from '../../../../test/helpers/run/model-run.ts'
import { createPhone, createTestRegistrar, domain, listed, tcp, udp } from './testing/test-registrar.ts'

const minute = 60
/** A displaced phone that keeps refreshing is refused for this long after its registration would have ended. */
const refusedSeconds = 60 * minute
/** More displaced phones of one extension are not remembered. */
const maxRemembered = 4

const numbers = ['1000', '1001']
/** Three phones of the first extension, two of the second: by connection, by instance, and with neither. */
const kinds = [
  { number: '1000', flow: tcp('203.0.113.1', 1) },
  { number: '1000', flow: udp('203.0.113.2'), instance: 'urn:uuid:2' },
  { number: '1000', flow: udp('203.0.113.3') },
  { number: '1001', flow: udp('203.0.113.4') },
  { number: '1001', flow: tcp('203.0.113.5', 5), instance: 'urn:uuid:5' },
]

type Extension = {
  current: { phone: number; endsAt: number } | undefined
  /** Refreshes of these are refused until then; `since`: after how many displacements. */
  refused: Map<number, { until: number; since: number }>
  displacements: number
  /** How many of them followed each other within half an hour: after three, known phones must wait too. */
  inARow: number
  lastAt: number
}
type Model = Record<string, Extension>
type Real = {
  server: ReturnType<typeof createTestRegistrar>
  phones: ReturnType<typeof createPhone>[]
  /** By extension, whether the events say that a phone is there: what the database shows. */
  stored: Map<string, boolean>
  knownPhones: Set<number>
}

function open(): { model: Model; real: Real } {
  const server = createTestRegistrar()
  const extension = (): Extension => ({
    current: undefined,
    refused: new Map(),
    displacements: 0,
    inARow: 0,
    lastAt: 0,
  })
  return {
    model: Object.fromEntries(numbers.map((number) => [number, extension()])),
    real: {
      server,
      phones: kinds.map((kind) => createPhone(server, kind)),
      stored: new Map(),
      knownPhones: new Set(),
    },
  }
}

const seconds = ({ server }: Real) => server.timers.now() / 1000

function ofPhone(model: Model, { phones }: Real, index: number) {
  const [phone, kind] = [phones[index], kinds[index]]
  const extension = model[kind?.number ?? '']
  if (!phone || !kind || !extension) throw new Error(`no phone ${index}`)
  return { phone, flow: kind.flow, extension }
}

function register(model: Model, real: Real, index: number, lifetime: number) {
  const { phone, extension } = ofPhone(model, real, index)
  const { current, refused } = extension
  const now = seconds(real)
  const isOther = current !== undefined && current.phone !== index
  const before = refused.get(index)
  const isRefused = isOther && before !== undefined && before.until > now
  const isForgotten = before !== undefined && extension.displacements - before.since >= maxRemembered
  const mayWait = isOther && extension.inARow > 3
  const answer = phone.register(lifetime)
  if (isRefused && (!isForgotten || answer?.status === 403)) {
    expect(answer?.status).toBe(403)
    before.until = Math.max(before.until, now + refusedSeconds)
    return
  }
  // Only a phone that was displaced before must wait.
  if (answer?.status === 403) return expect(mayWait && real.knownPhones.has(index)).toBe(true)
  expect(answer?.status).toBe(200)
  expect(listed(answer)).toHaveLength(1)
  refused.delete(index)
  if (current && isOther) {
    refused.set(current.phone, { until: current.endsAt + refusedSeconds, since: extension.displacements })
    real.knownPhones.add(current.phone)
    extension.inARow = now - extension.lastAt > 30 * minute ? 1 : extension.inARow + 1
    extension.displacements += 1
    extension.lastAt = now
  }
  extension.current = { phone: index, endsAt: now + lifetime }
}

/** Its user turns it off and on. */
function restart(model: Model, real: Real, index: number) {
  const { phone, extension } = ofPhone(model, real, index)
  phone.restart()
  extension.refused.delete(index)
}

function leave(model: Model, real: Real, index: number) {
  const { phone, extension } = ofPhone(model, real, index)
  expect(phone.leave()?.status).toBe(200)
  if (extension.current?.phone === index) extension.current = undefined
}

function loseConnection(model: Model, real: Real, index: number) {
  const { flow, extension } = ofPhone(model, real, index)
  if (flow.connection === undefined) return
  real.server.registrar.onConnectionClosed(flow)
  if (extension.current?.phone === index) extension.current = undefined
}

/** Runs an action, two seconds later, and compares both. */
function step(name: string, act: (model: Model, real: Real) => void): Step<Model, Real> {
  return {
    name,
    run(model, real) {
      pass(model, real, 2)
      while (isNearEnd(model, real)) pass(model, real, 1)
      act(model, real)
      // All delayed answers have been sent.
      pass(model, real, 1)
      compare(model, real)
    },
  }
}

/** A registration ends within a second of its time: nothing is done then. */
function isNearEnd(model: Model, real: Real): boolean {
  return Object.values(model).some(({ current }) => current && current.endsAt - seconds(real) < 3)
}

function pass(model: Model, real: Real, forSeconds: number) {
  real.server.pass(forSeconds)
  for (const extension of Object.values(model))
    if (extension.current && extension.current.endsAt <= seconds(real) - 2) extension.current = undefined
}

function compare(model: Model, { server, phones, stored }: Real) {
  for (const event of server.events.splice(0)) {
    const { number } = event.type === 'unregistered' ? event.extension : event.registration.extension
    if (event.type !== 'displaced') stored.set(number, event.type !== 'unregistered')
  }
  for (const number of numbers) {
    const found = server.registrar.find({ domain, number })
    const { current } = model[number] ?? {}
    // Within two seconds of its end a registration may be there or not.
    if (current && current.endsAt - server.timers.now() / 1000 < 2) continue
    expect(found?.target).toEqual(current && phones[current.phone]?.phone.flow)
    expect(stored.get(number) ?? false).toBe(current !== undefined)
  }
}

const which = fc.nat({ max: kinds.length - 1 })
const steps: fc.Arbitrary<Step<Model, Real>>[] = [
  fc
    .tuple(which, fc.constantFrom(60, 120, 3_600))
    .map(([index, lifetime]) =>
      step(`phone ${index} registers for ${lifetime} s`, (model, real) =>
        register(model, real, index, lifetime),
      ),
    ),
  which.map((index) =>
    step(`phone ${index} restarts and registers`, (model, real) => {
      restart(model, real, index)
      register(model, real, index, 600)
    }),
  ),
  which.map((index) => step(`phone ${index} leaves`, (model, real) => leave(model, real, index))),
  which.map((index) =>
    step(`phone ${index} loses its connection`, (model, real) => loseConnection(model, real, index)),
  ),
  fc
    .constantFrom(10, 70, 700, 4_000)
    .map((time) => step(`${time} s pass`, (model, real) => pass(model, real, time))),
]

/** When no phone registers any more, none is left, and nothing waits for one. */
function finish(model: Model, real: Real) {
  pass(model, real, 3_700)
  compare(model, real)
  expect(real.server.registrar.count()).toBe(0)
}

test('D76, D556: the newest phone has the extension, a displaced one stays out, and events tell the same story', () => {
  runModel({ steps, open, finish })
})
