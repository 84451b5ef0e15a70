import { expect, test } from 'vitest'
import { firstValue } from '../../message/message.ts'
import type { Sdp } from '../../sdp/sdp.ts'
import { createScenes } from '../../user-agent/testing/scenes.ts'
import { described, sdp, settle } from '../../user-agent/testing/test-agents.ts'
import { brief } from '../../user-agent/testing/wire.ts'

const { answered, openScene } = createScenes()

/** Two user agents in an answered call. */
async function talking() {
  const made = openScene()
  const far = made.testAgent()
  const leg = made.near.call()
  await settle()
  far.leg().accept(sdp(20))
  await settle()
  return { ...made, far, leg, theirs: far.leg() }
}

const port = (description: Sdp | undefined) => description?.media[0]?.port

test('an offer of either end is answered by the other', async () => {
  const { near, far, leg, theirs } = await talking()
  expect(port(await leg.offer(sdp(11)))).toBe(40)
  expect(port(await theirs.offer(sdp(21)))).toBe(40)
  expect([near.events.at(-1), far.events.at(-1)]).toEqual(['offered 21', 'offered 11'])
  leg.hangUp()
})

test('a refused offer leaves the session as it was', async () => {
  const { near, far, leg } = await talking()
  far.behaviour.offered = async () => ({ refuse: 488 })
  expect(await leg.offer(sdp(11))).toBeUndefined()
  far.behaviour.offered = () => Promise.reject(new Error('no'))
  expect(await leg.offer(sdp(12))).toBeUndefined()
  expect([near.agent.legs(), far.events.slice(-2)]).toEqual([1, ['offered 12', 'error']])
  leg.hangUp()
})

test('offers of ours wait for each other', async () => {
  const { far, leg } = await talking()
  const both = [leg.offer(sdp(11)), leg.offer(sdp(12))]
  expect((await Promise.all(both)).map(port)).toEqual([40, 40])
  expect(far.events.slice(-2)).toEqual(['offered 11', 'offered 12'])
  leg.hangUp()
})

test('glare: two offers that cross are both refused with 491 and retried one after the other', async () => {
  const { near, far, leg, theirs, wire, pass, timers } = await talking()
  wire.let(() => 'hold')
  const both = Promise.all([leg.offer(sdp(11)), theirs.offer(sdp(21))])
  wire.release()
  await settle()
  expect(wire.sent.map(({ message }) => brief(message)).filter((text) => text === '491 INVITE')).toHaveLength(
    2,
  )
  const times: Record<string, number> = {}
  const start = timers.now()
  wire.let(({ from, message }) => {
    if (brief(message) === 'INVITE') times[from] = timers.now() - start
    return 'pass'
  })
  await pass(5_000)
  expect((await both).map(port)).toEqual([40, 40])
  // The owner of the Call-ID waits 2.1 to 4 s, the other up to 2 s (14.1).
  expect(times.near).toBeGreaterThanOrEqual(2_100)
  expect(times.near).toBeLessThanOrEqual(4_010)
  expect(times.far).toBeLessThanOrEqual(2_010)
  expect([near.events.at(-1), far.events.at(-1)]).toEqual(['offered 21', 'offered 11'])
  leg.hangUp()
})

test('retries after 491 stop after 32 s', async () => {
  const { leg, far, near, pass } = await answered()
  const asked = leg.offer(sdp(31))
  const refused = new Set<unknown>()
  for (let round = 0; round < 400; round++) {
    await pass(100)
    const invite = far.last('INVITE')
    if (!refused.has(invite)) far.answer(invite, 491)
    refused.add(invite)
  }
  expect(await asked).toBeUndefined()
  expect(refused.size).toBeGreaterThan(10)
  expect(near.agent.legs()).toBe(1)
  leg.hangUp()
})

test('a 500 with Retry-After is retried after that time', async () => {
  const { leg, far, pass } = await answered()
  const asked = leg.offer(sdp(31))
  await settle()
  far.answer(far.last('INVITE'), 500, { headers: [['Retry-After', '3']] })
  await pass(2_900)
  expect(far.methods().filter((method) => method === 'INVITE')).toHaveLength(1)
  await pass(200)
  far.answer(far.last('INVITE'), 200, described(21))
  expect(port(await asked)).toBe(21)
  leg.hangUp()
})

test('a re-INVITE with only provisional responses is cancelled, and the call continues', async () => {
  const { leg, far, pass, near } = await answered()
  const asked = leg.offer(sdp(31))
  await settle()
  const invite = far.last('INVITE')
  invite.onCancel(() => far.answer(invite, 487))
  far.answer(invite, 180)
  await pass(32_100)
  expect(await asked).toBeUndefined()
  expect(near.events).toEqual([])
  leg.hangUp()
})

test('a 2xx to a re-INVITE is acknowledged as often as it comes, and moves the other end', async () => {
  const { leg, far } = await answered()
  const asked = leg.offer(sdp(31))
  await settle()
  const invite = far.last('INVITE')
  invite.respond({
    ...baseOf(invite.request),
    headers: [...baseOf(invite.request).headers, { name: 'Contact', value: '<sip:moved@192.0.2.2>' }],
    body: Buffer.from(described(21).body),
  })
  await settle()
  invite.repeat()
  await settle()
  expect(port(await asked)).toBe(21)
  expect(far.methods().slice(-3)).toEqual(['INVITE', 'ACK', 'ACK'])
  leg.hangUp()
  await settle()
  expect(far.last('BYE').request.uri).toMatchObject({ user: 'moved' })
  invite.repeat()
  await settle()
  expect(far.methods().slice(-2)).toEqual(['BYE', 'ACK'])

  function baseOf(request: typeof invite.request) {
    const kept = new Set(['Via', 'From', 'To', 'Call-ID', 'CSeq'])
    const headers = request.headers.filter(({ name }) => kept.has(name))
    const type = { name: 'Content-Type', value: 'application/sdp' }
    return { kind: 'response' as const, status: 200, reason: 'OK', headers: [...headers, type] }
  }
})

test('a 2xx without an answer leaves the session unchanged', async () => {
  const { leg, far } = await answered()
  const asked = leg.offer(sdp(31))
  await settle()
  far.answer(far.last('INVITE'), 200)
  expect(await asked).toBeUndefined()
  leg.hangUp()
})

test('a re-INVITE of theirs is answered, repeated until acknowledged, and ours waits for that', async () => {
  const { leg, far, near, ask, acknowledge, pass } = await answered()
  const theirs = ask('INVITE', {
    ...described(21),
    headers: [...described(21).headers, ['Contact', '<sip:new@192.0.2.2>']],
  })
  await pass(600)
  expect(theirs.answers.map(({ status }) => status)).toEqual([200, 200])
  expect(firstValue(theirs.answers[0] ?? { headers: [] }, 'Contact')).toBe('<sip:near@192.0.2.1:5060>')
  const asked = leg.offer(sdp(31))
  await settle()
  expect(far.methods()).toEqual([])
  acknowledge()
  await settle()
  const invite = far.last('INVITE')
  expect(invite.request.uri).toMatchObject({ user: 'new' })
  far.answer(invite, 200, described(22))
  expect(port(await asked)).toBe(22)
  expect(near.events).toEqual(['offered 21'])
  leg.hangUp()
})

test('a re-INVITE without an offer is given ours, and the ACK brings the answer', async () => {
  const { leg, near, ask, acknowledge } = await answered()
  const theirs = ask('INVITE')
  await settle()
  expect(`${theirs.answers[0]?.body}`).toBe(described(50).body)
  const offered = ask('UPDATE', described(22))
  await settle()
  // Our offer is out: another one has to wait for its answer.
  expect(offered.status()).toBe(491)
  acknowledge({ cseq: 2, ...described(21) })
  acknowledge({ cseq: 2, ...described(23) })
  await settle()
  expect(near.events).toEqual(['asked', 'settled 21'])
  leg.hangUp()
})

test('a re-INVITE that is never acknowledged ends the call', async () => {
  const { far, near, ask, pass } = await answered()
  ask('INVITE', described(21))
  await pass(32_100)
  expect([near.events, far.methods()]).toEqual([['offered 21', 'ended never acknowledged'], ['BYE']])
})

test('while we have an offer out theirs is refused with 491', async () => {
  const { leg, far, ask, near } = await answered()
  const asked = leg.offer(sdp(31))
  await settle()
  const refused = [ask('INVITE', described(21)), ask('UPDATE', described(21))]
  const empty = ask('UPDATE')
  await settle()
  expect([...refused, empty].map(({ status }) => status())).toEqual([491, 491, 200])
  far.answer(far.last('INVITE'), 488)
  await asked
  expect(near.events).toEqual([])
  leg.hangUp()
})

test('while an offer of the peer is pending, another is answered 500 with Retry-After', async () => {
  const { leg, ask, near, acknowledge } = await answered()
  const answers: ((answer: Sdp) => void)[] = []
  near.behaviour.offered = () => new Promise((resolve) => answers.push(resolve))
  const first = ask('INVITE', described(21))
  const others = [ask('INVITE', described(22)), ask('UPDATE', described(23))]
  await settle()
  expect(others.map(({ status }) => status())).toEqual([500, 500])
  expect(firstValue(others[0]?.answers[0] ?? { headers: [] }, 'Retry-After')).toMatch(/^\d$/)
  answers[0]?.(sdp(41))
  await settle()
  expect(first.status()).toBe(200)
  acknowledge({ cseq: 2 })
  leg.hangUp()
})

test('a re-INVITE that overtakes the ACK of the previous one is answered', async () => {
  const { leg, ask, acknowledge, near } = await answered()
  const first = ask('INVITE', described(21))
  await settle()
  const second = ask('INVITE', described(22))
  await settle()
  expect([first.status(), second.status()]).toEqual([200, 200])
  acknowledge({ cseq: 3 })
  acknowledge({ cseq: 2 })
  await settle()
  expect(near.events).toEqual(['offered 21', 'offered 22'])
  leg.hangUp()
})

test('an UPDATE with an offer is answered at once', async () => {
  const { leg, ask, near } = await answered()
  const update = ask('UPDATE', described(21))
  await settle()
  expect([update.status(), `${update.answers[0]?.body}`]).toEqual([200, described(40).body])
  near.behaviour.offered = async () => ({ refuse: 504 })
  const refused = ask('UPDATE', described(22))
  await settle()
  expect(refused.status()).toBe(504)
  leg.hangUp()
})

test.each([
  ['text/plain', 'hello', 415],
  ['application/sdp', 'v=7', 400],
])('an offer in %s that cannot be read is refused', async (type, body, status) => {
  const { leg, ask, near } = await answered()
  const asked = ask('INVITE', { headers: [['Content-Type', type]], body })
  await settle()
  expect([asked.status(), near.events]).toEqual([status, []])
  leg.hangUp()
})

test('a BYE ends whatever is being negotiated', async () => {
  const { leg, ask, near, far, wire } = await answered()
  near.behaviour.offered = () => new Promise(() => {})
  const theirs = ask('INVITE', described(21))
  await settle()
  const asked = leg.offer(sdp(31))
  const bye = ask('BYE')
  await settle()
  expect([theirs.status(), bye.status(), await asked]).toEqual([487, 200, undefined])
  expect(near.events).toEqual(['offered 21', 'ended bye'])
  expect(far.methods()).toEqual([])
  expect(wire.sentBy('near').slice(-2)).toEqual(['200 BYE', '487 INVITE'])
})

test('an answer that comes after we hung up is acknowledged and changes nothing', async () => {
  const { leg, far, near } = await answered()
  const asked = leg.offer(sdp(31))
  await settle()
  leg.hangUp()
  far.answer(far.last('INVITE'), 200, described(21))
  await settle()
  expect([await asked, near.events]).toEqual([undefined, []])
  expect(far.methods().slice(-3)).toEqual(['INVITE', 'BYE', 'ACK'])
})

test('no answer to a re-INVITE ends the call', async () => {
  const { leg, wire, near, pass } = await answered()
  wire.let(() => 'lose')
  const asked = leg.offer(sdp(31))
  await pass(32_100)
  expect([await asked, near.events]).toEqual([undefined, ['ended unreachable']])
})
