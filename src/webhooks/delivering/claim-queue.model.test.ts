/** Lanes and claim queue under any order of arrivals, claims, answers and pauses. The table of due deliveries is a count. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runModel, type Step } from '../../../test/helpers/run/model-run.ts'
import { createTestTimers, type TestTimers } from '../../kit/testing/test-timers.ts'
import { type ClaimQueue, createClaimQueue } from './claim-queue.ts'
import { createLanes, type LaneResult, type Lanes, type Slot } from './lanes.ts'

const webhooks = 6
const limits = { maxRecent: 12, maxUnproven: 5, maxInFlight: 20 }
const slowMs = 1_000
const maxPauseMs = 60_000

type Flying = { id: number; begunAt: number; isUnproven: boolean; slot: Slot }
type Webhook = { due: number; failures: number; pausedUntil: number; isFast: boolean }
type Model = { webhooks: Webhook[]; flying: Flying[] }
type Real = { timers: TestTimers; lanes: Lanes; queue: ClaimQueue }
type Result = Required<LaneResult>

function open(): { model: Model; real: Real } {
  const timers = createTestTimers()
  const lanes = createLanes({ timers, clock: { now: () => new Date(timers.now()) }, ...limits })
  const idle = () => ({ due: 0, failures: 0, pausedUntil: 0, isFast: false })
  return {
    model: { webhooks: Array.from({ length: webhooks }, idle), flying: [] },
    real: { timers, lanes, queue: createClaimQueue(lanes) },
  }
}

const webhookOf = ({ webhooks }: Model, id: number): Webhook => {
  const found = webhooks[id]
  if (!found) throw new Error(`no webhook ${id}`)
  return found
}
const inFlight = ({ flying }: Model, id: number) => flying.filter((one) => one.id === id).length

function search({ webhooks }: Model, { queue }: Real) {
  queue.add(webhooks.flatMap(({ due }, id) => (due > 0 ? [id] : [])))
}

/** As the worker does it: until nothing more may be claimed. */
function claim(model: Model, real: Real) {
  const { queue, lanes, timers } = real
  let rounds = 0
  for (let requests = queue.next(); requests.length > 0; requests = queue.next()) {
    rounds += 1
    expect(rounds).toBeLessThan(1_000)
    const ids = requests.map(({ integrationId }) => integrationId)
    expect(new Set(ids).size).toBe(ids.length)
    const claimed = requests.map(({ integrationId, limit }) => {
      expect(limit).toBeGreaterThan(0)
      const found = Math.min(limit, webhookOf(model, integrationId).due)
      return { id: integrationId, found }
    })
    for (const [index, request] of requests.entries()) queue.record(request, claimed[index]?.found ?? 0)
    for (const { id, found } of claimed) {
      const webhook = webhookOf(model, id)
      webhook.due -= found
      expect(webhook.pausedUntil, `webhook ${id} is paused`).toBeLessThanOrEqual(timers.now())
      for (let left = found; left > 0; left -= 1) {
        const slot = lanes.acquire(lanes.of(id))
        model.flying.push({ id, begunAt: timers.now(), isUnproven: !webhook.isFast, slot })
      }
      expect(inFlight(model, id)).toBeLessThanOrEqual(webhook.failures >= 5 && found > 0 ? 1 : 32)
    }
  }
  checkCapacity(model, real)
}

function checkCapacity({ flying }: Model, { lanes, timers }: Real) {
  const recent = flying.filter(({ begunAt }) => timers.now() - begunAt < slowMs)
  expect(recent.length).toBeLessThanOrEqual(limits.maxRecent)
  expect(recent.filter(({ isUnproven }) => isUnproven).length).toBeLessThanOrEqual(limits.maxUnproven)
  expect(flying.length).toBeLessThanOrEqual(limits.maxInFlight)
  expect(lanes.inFlight()).toBe(flying.length)
}

function answer(model: Model, { lanes, queue, timers }: Real, index: number, result: Result) {
  const [one] = model.flying.splice(index % Math.max(1, model.flying.length), 1)
  if (!one) return
  const webhook = webhookOf(model, one.id)
  const { ok, overlong, pauseMs } = result
  webhook.failures = ok ? 0 : webhook.failures + 1
  webhook.isFast = ok && !overlong && timers.now() - one.begunAt < slowMs
  const broken = webhook.failures < 5 ? 0 : 5_000 * 2 ** (webhook.failures - 5)
  const pause = Math.min(maxPauseMs, Math.max(overlong ? Math.max(200, pauseMs) : pauseMs, broken))
  if (pause > 0) webhook.pausedUntil = timers.now() + pause
  else if (ok) webhook.pausedUntil = 0
  expect(lanes.release(one.slot, result)).toBe(webhook.failures >= 5)
  queue.requeueIfFree(one.slot.lane)
  if (queue.unblock(one.id)) queue.add([one.id])
}

const id = fc.nat({ max: webhooks - 1 })
const results: fc.Arbitrary<Result> = fc.constantFrom(
  { ok: true, overlong: false, pauseMs: 0 },
  { ok: true, overlong: false, pauseMs: 0 },
  { ok: false, overlong: false, pauseMs: 0 },
  { ok: false, overlong: true, pauseMs: 0 },
  { ok: false, overlong: false, pauseMs: 30_000 },
)
const steps: fc.Arbitrary<Step<Model, Real>>[] = [
  fc.tuple(id, fc.integer({ min: 1, max: 9 }), fc.boolean()).map(([which, count, isNoticed]) => ({
    name: `${count} due for ${which}${isNoticed ? '' : ', notice lost'}`,
    run(model, { queue }) {
      webhookOf(model, which).due += count
      if (isNoticed) queue.add([which])
    },
  })),
  fc.constant({ name: 'search', run: search }),
  fc.constant({ name: 'claim', run: claim }),
  fc.constant({ name: 'claim', run: claim }),
  fc.tuple(fc.nat({ max: 30 }), results).map(([index, result]) => ({
    name: `answer ${index} ${JSON.stringify(result)}`,
    run: (model, real) => answer(model, real, index, result),
  })),
  fc.constantFrom(20, 400, 1_500, 10_000, 70_000).map((ms) => ({
    name: `${ms} ms pass`,
    run: (_, { timers }) => timers.advance(ms),
  })),
]

/** Receivers answer, and pauses pass: whatever is due is delivered, also where the notice was lost. */
function finish(model: Model, real: Real) {
  const isLeft = () => model.flying.length > 0 || model.webhooks.some(({ due }) => due > 0)
  for (let rounds = 0; isLeft(); rounds += 1) {
    expect(rounds).toBeLessThan(2_000)
    while (model.flying.length > 0) answer(model, real, 0, { ok: true, overlong: false, pauseMs: 0 })
    real.timers.advance(maxPauseMs)
    search(model, real)
    claim(model, real)
  }
}

test('D556: webhooks are claimed within the capacity, never while they are paused, and none is forgotten', () => {
  runModel({ steps, open, finish })
})
