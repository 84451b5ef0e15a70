import { expect, test } from 'vitest'
import type { HeaderPairs } from '../../../sip/message/request.ts'
import type { AcceptedCall, IncomingCall, RejectedCall } from '../../port.ts'
import type { Call } from './call.ts'
import { takeIncomingCall } from './incoming-call.ts'
import { buildResponseFor } from './testing/messages.ts'
import { callRequest, createStage, description, incomingLeg, phoneTarget } from './testing/stage.ts'

const ok = buildResponseFor(200)
const fromPhone: IncomingCall = {
  from: { extension: { domain: 'acme.example', number: '1000' } },
  dialled: '48999998888',
}
const fromCarrier: IncomingCall = {
  from: { trunk: 'main', callerId: { number: '5511' } },
  dialled: '554830001000',
}

async function arrive(
  incoming = fromPhone,
  leg = incomingLeg(),
  answer?: () => Promise<AcceptedCall | RejectedCall>,
) {
  const stage = createStage()
  const calls: Call[] = []
  const over: string[] = []
  const taken = takeIncomingCall(
    {
      ...stage.deps,
      admit: answer ?? (async () => callRequest),
      onStarted: (call) => void calls.push(call),
      onOver: (id) => void over.push(id),
    },
    leg.leg,
    incoming,
  )
  await stage.settle()
  const bLeg = () => {
    const [first] = stage.outgoing
    if (!first) throw new Error('nobody was called')
    return first
  }
  return { ...stage, ...leg, taken, calls, over, bLeg }
}

test('a phone that dials gets 180, and plays ringback, when the carrier sends 183 without SDP', async () => {
  const { bLeg, said } = await arrive()
  bLeg().listener.onProgress(183, undefined)
  expect(said).toEqual(['180'])
})

test('a phone that dials gets 180, then 200, and is connected', async () => {
  const { emitted, bLeg, said, sound, settle } = await arrive()
  bLeg().listener.onProgress(180, undefined)
  bLeg().listener.onAnswered(description(6000), ok)
  await settle()
  expect(said).toEqual(['180', '200 at 20000'])
  expect(emitted()).toEqual(['extensionAnswered', 'progress', 'answered'])
  expect(sound).toEqual([
    'other at 6000 speaks PCMA',
    'extension at 4000 speaks PCMA',
    'no tone to extension',
    `recording to spool/${callRequest.callId}.wav`,
  ])
})

test.each([
  [[], false],
  [[['Privacy', 'id']], true],
  [[['Privacy', 'none']], false],
] as [HeaderPairs, boolean][])(
  'a phone that dials with %j is private: %s (D268)',
  async (headers, expected) => {
    const { isPrivate } = await arrive(fromPhone, incomingLeg(description(4000), headers))
    expect(isPrivate()).toBe(expected)
  },
)

test('early media reaches the phone that dials, and no 180 follows', async () => {
  const { bLeg, said } = await arrive()
  bLeg().listener.onProgress(183, description(6000))
  bLeg().listener.onProgress(183, description(6000))
  bLeg().listener.onProgress(180, undefined)
  expect(said).toEqual(['183 with sound'])
})

test('a call from a carrier rings the extension, which is on the left channel as always', async () => {
  const { emitted, bLeg, said, sound, settle } = await arrive(fromCarrier)
  bLeg().listener.onProgress(180, undefined)
  bLeg().listener.onAnswered(description(6000), ok)
  await settle()
  expect(emitted()).toEqual(['ringing', 'answered'])
  expect(said).toEqual(['180', '200 at 20002'])
  expect(sound.slice(0, 2)).toEqual(['extension at 6000 speaks PCMA', 'other at 4000 speaks PCMA'])
})

test.each([
  ['OUTGOING_CALL_BARRED', '403'],
  ['INVALID_NUMBER_FORMAT', '484'],
  ['UNALLOCATED_NUMBER', '404'],
  ['USER_NOT_REGISTERED', '480'],
] as const)('a call rejected with %s is refused with %s and makes no call', async (rejected, status) => {
  const { said, emitted, calls } = await arrive(fromPhone, incomingLeg(), async () => ({ rejected }))
  expect(said).toEqual([status])
  expect([emitted(), calls]).toEqual([[], []])
})

test('a call that could not be stored is refused with 503', async () => {
  const { said } = await arrive(fromPhone, incomingLeg(), async () => {
    throw new Error('database down')
  })
  expect(said).toEqual(['503'])
})

test('a call cancelled while it is being stored ends without ringing anybody', async () => {
  let accept = (_: AcceptedCall) => {}
  const { listener, ended, outgoing, settle } = await arrive(fromPhone, incomingLeg(), () => {
    return new Promise((resolve) => {
      accept = resolve
    })
  })
  listener().onCancelled()
  accept(callRequest)
  await settle()
  expect(ended()).toMatchObject({ cause: 'ORIGINATOR_CANCEL', by: 'extension' })
  expect(outgoing).toHaveLength(0)
})

test('a caller who cancels ends the B leg', async () => {
  const { listener, ended, bLeg, settle, over } = await arrive()
  listener().onCancelled()
  await settle()
  expect(bLeg().said[0]).toMatch(/^cancel/)
  expect(ended()).toMatchObject({ cause: 'ORIGINATOR_CANCEL', by: 'extension' })
  expect(over).toEqual([callRequest.callId])
})

test('the caller is refused with the status of the destination', async () => {
  const { bLeg, said, settle } = await arrive()
  bLeg().listener.onFailed({ status: 486, why: 'refused' })
  await settle()
  expect(said).toEqual(['486'])
})

test('a caller without a common codec is refused', async () => {
  const strange = { ...description(4000), media: [] }
  const { said, ended, settle } = await arrive(fromPhone, incomingLeg(strange))
  await settle()
  expect(said).toEqual(['488'])
  expect(ended()).toMatchObject({ cause: 'INCOMPATIBLE_DESTINATION' })
})

test('a caller without an offer gets ours, and answers it in the ACK', async () => {
  const arrived = incomingLeg()
  const silent = { ...arrived, leg: { ...arrived.leg, remoteOffer: undefined } }
  const { bLeg, said, listener, sound, settle } = await arrive(fromPhone, silent)
  bLeg().listener.onAnswered(description(6000, 'PCMU'), ok)
  await settle()
  expect(said).toEqual(['200 at 20000'])
  listener().onAnswer(description(4000, 'PCMU'), phoneTarget)
  expect(sound).toContain('extension at 4000 speaks PCMU')
})

test('a refusal may have words of its own, for the display of the phone (D422)', async () => {
  const rejected = { rejected: 'UNALLOCATED_NUMBER', phrase: 'No Such Feature Code' } as const
  const { said, outgoing } = await arrive(fromPhone, incomingLeg(), async () => rejected)
  expect([said, outgoing]).toEqual([['404 No Such Feature Code'], []])
})
