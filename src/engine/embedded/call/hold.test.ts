import { expect, test } from 'vitest'
import type { Direction, Sdp } from '../../../sip/sdp/sdp.ts'
import { placeCall } from './placed-call.ts'
import { buildResponseFor } from './testing/messages.ts'
import { callingOf, callRequest, createStage, description, phoneTarget } from './testing/stage.ts'

const ok = buildResponseFor(200)

function directed(port: number, direction: Direction): Sdp {
  const sdp = description(port)
  return { ...sdp, media: sdp.media.map((medium) => ({ ...medium, direction })) }
}

async function talk(answer = description(6000)) {
  const stage = createStage()
  placeCall({ ...stage.deps, inviteExtension: () => callingOf('1000') }, callRequest, () => {})
  await stage.settle()
  stage.outgoing[0]?.listener.onAnswered(description(4000), ok)
  await stage.settle()
  stage.outgoing[1]?.listener.onAnswered(answer, ok)
  await stage.settle()
  const music = () => stage.sound.filter((line) => /music|no tone to other/.test(line))
  return { ...stage, music, phone: stage.outgoing[0]?.listener, carrier: stage.outgoing[1]?.listener }
}

test.each(['sendonly', 'inactive'] as const)(
  'while the phone holds the call (%s) the other side gets music (D269)',
  async (direction) => {
    const { phone, music } = await talk()
    await phone?.onOffer(directed(4000, direction), phoneTarget)
    // A session that is refreshed while it is held changes nothing.
    await phone?.onOffer(directed(4000, direction), phoneTarget)
    expect(music()).toEqual(['hold music to other'])
    await phone?.onOffer(directed(4000, 'sendrecv'), phoneTarget)
    expect(music()).toEqual(['hold music to other', 'no tone to other'])
  },
)

test('so does the phone while the carrier holds', async () => {
  const { carrier, music } = await talk()
  await carrier?.onOffer(directed(6000, 'sendonly'), phoneTarget)
  expect(music()).toEqual(['hold music to extension'])
})

test('a destination that holds in its answer is on hold from the start', async () => {
  const { music } = await talk(directed(6000, 'inactive'))
  expect(music()).toEqual(['hold music to extension'])
})
