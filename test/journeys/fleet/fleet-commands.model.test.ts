/**
 * D556: the commands that processes send to a voice node against a model of its calls. Two processes place calls for phones of
 * the node, hang them up and press keys, in any order and at calls that are over too, while people answer and hang up.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wantedCommands } from '../../helpers/run/model-run.ts'
import { type Fleet, startFleet } from '../../helpers/service/fleet.ts'

const extensions = ['2001', '2002', '2003']
/** `CALLS_PER_EXTENSION` of the fleet. */
const atOnce = 2

type ModelCall = { id: string; extension: string; state: 'ringing' | 'connecting' | 'answered' | 'over' }
type Model = { calls: ModelCall[] }
type Step = fc.AsyncCommand<Model, Fleet>

let fleet: Fleet
let lastNumber = 0

beforeAll(async () => {
  fleet = await startFleet(Object.fromEntries(extensions.map((number) => [number, {}])))
})
afterAll(() => fleet.stop())

const liveOf = ({ calls }: Model) => calls.filter(({ state }) => state !== 'over')

function step(name: string, run: (model: Model, fleet: Fleet) => Promise<void>): Step {
  return { check: () => true, run, toString: () => name }
}

/** Does nothing if there is no such call. */
function onCall(name: string, nth: number, run: (call: ModelCall, fleet: Fleet) => Promise<void>): Step {
  return step(`${name} ${nth}`, async ({ calls }, real) => {
    const call = calls[calls.length - 1 - (nth % Math.max(1, calls.length))]
    if (call) await run(call, real)
  })
}

const stored = async ({ node }: Fleet) => {
  await node.app.voice?.node.events.drained(10_000)
}

type Asked = 'first' | 'second'
const asked = fc.constantFrom<Asked>('first', 'second')
const nth = fc.nat(5)

const place = fc.tuple(asked, fc.constantFrom(...extensions)).map(([process, extension]) =>
  step(`${process}: place for ${extension}`, async (model, { [process]: { api }, office, node }) => {
    lastNumber += 1
    const called = `55489${String(lastNumber).padStart(8, '0')}`
    const before = liveOf(model).filter((call) => call.extension === extension).length
    const { status, body } = await api.post('/calls', { extension, called }, office)
    expect(status === 200, `${status} with ${before} calls`).toBe(before < atOnce)
    if (status === 200) model.calls.push({ id: body.id, extension, state: 'ringing' })
    expect(node.engine.liveCalls().toSorted()).toEqual(
      liveOf(model)
        .map(({ id }) => id)
        .toSorted(),
    )
  }),
)

const pickUp = nth.map((index) =>
  onCall('the extension picks up', index, async (call, real) => {
    if (call.state !== 'ringing') return
    real.node.engine.pickUp(call.id)
    call.state = 'connecting'
    await stored(real)
  }),
)

const answer = nth.map((index) =>
  onCall('the destination answers', index, async (call, real) => {
    if (call.state !== 'connecting') return
    real.node.engine.answer(call.id)
    call.state = 'answered'
    await stored(real)
  }),
)

const otherHangsUp = nth.map((index) =>
  onCall('the destination hangs up', index, async (call, real) => {
    if (call.state !== 'answered') return
    real.node.engine.hangUpBy(call.id, 'other')
    call.state = 'over'
    await stored(real)
  }),
)

const hangUp = fc.tuple(asked, nth).map(([process, index]) =>
  onCall(`${process}: hang up`, index, async (call, { [process]: { api }, office }) => {
    const { status } = await api.post(`/calls/${call.id}/hangup`, undefined, office)
    expect(status).toBe(call.state === 'over' ? 404 : 200)
    call.state = 'over'
  }),
)

const pressKeys = fc.tuple(asked, nth).map(([process, index]) =>
  onCall(`${process}: press keys`, index, async (call, { [process]: { api }, office }) => {
    const { status } = await api.post(`/calls/${call.id}/dtmf`, { digits: '12#' }, office)
    expect(status === 200, `${status} in state ${call.state}`).toBe(call.state === 'answered')
  }),
)

/** A run that failed leaves calls behind, which the next, shorter one must not see. */
async function endAll(real: Fleet) {
  for (const id of real.node.engine.liveCalls()) real.node.engine.hangUpBy(id, 'other')
  await stored(real)
}

async function finish(model: Model, real: Fleet) {
  for (const { id } of liveOf(model)) await real.first.api.post(`/calls/${id}/hangup`, undefined, real.office)
  expect(real.node.engine.liveCalls()).toEqual([])
  await stored(real)
  for (const { id } of model.calls) {
    const { events } = (await real.first.api.get(`/calls/${id}/events`, real.office)).body
    const ends = events.filter(({ type }: { type: string }) => type === 'ended')
    expect(ends, id).toHaveLength(1)
  }
  expect(await real.reserved()).toBe(0)
}

test('whichever process is asked, a command is carried out once at the node, or refused as the state of its call says', async () => {
  for (const number of extensions) await fleet.registerAtNode(number)
  let ran = 0
  const commands = fc.commands([place, pickUp, answer, otherHangsUp, hangUp, pressKeys], {
    maxCommands: 40,
    size: 'max',
  })
  const property = fc.asyncProperty(commands, async (chosen) => {
    await endAll(fleet)
    const model: Model = { calls: [] }
    await fc.asyncModelRun(() => ({ model, real: fleet }), chosen)
    await finish(model, fleet)
    ran += [...chosen].length
  })
  while (ran < wantedCommands) await fc.assert(property, { numRuns: 5 })
})
