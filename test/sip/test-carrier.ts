/** Our own code as the carrier, for tests whose witnesses stand elsewhere: it rings, and does what the test says. */

import { toneSource } from '../../src/engine/endpoint/audio/audio-source.ts'
import { type IncomingCall, receiveCall } from '../../src/engine/endpoint/call/incoming-call.ts'
import { openSipEndpoint } from '../../src/engine/endpoint/signalling/sip-endpoint.ts'
import { firstValue } from '../../src/engine/sip/message/message.ts'
import { createLog } from '../../src/kit/log.ts'
import { systemTimers } from '../../src/kit/timers.ts'
import { keep, type TestScope } from './engine-setup.ts'
import { createJournal } from './peers/journal.ts'

const log = createLog('silent')
const carrierHertz = 1000

type Options = { answers?: boolean }

export async function openCarrier(t: TestScope, { answers = false }: Options = {}) {
  const arrived = createJournal<{ callId: string; invite: string; call: IncomingCall }>('carrier')
  const carrier = keep(
    t,
    await openSipEndpoint({ host: '127.0.0.1', product: 'carrier', timers: systemTimers, log }),
  )
  carrier.userAgent.onInvite((leg) => {
    const call = receiveCall(leg, { host: '127.0.0.1', timers: systemTimers, log })
    call.ring()
    if (answers) void call.answer(toneSource(carrierHertz))
    arrived.write({
      callId: firstValue(leg.request, 'X-Call-Id') ?? '',
      invite: leg.request.body.toString(),
      call,
    })
  })
  return {
    port: carrier.address.port,
    legs: carrier.userAgent.legs,
    arrived: arrived.entries,
    incoming: async (callId: string, within = 30_000) =>
      await arrived.until((one) => one.callId === callId, { within }),
  }
}
