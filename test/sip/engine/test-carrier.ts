/** Our own code as the carrier, for tests whose witnesses stand elsewhere: it rings, and does what the test says. */

import { toneSource } from '../../../src/engine/endpoint/audio/audio-source.ts'
import { type IncomingCall, receiveCall } from '../../../src/engine/endpoint/call/incoming-call.ts'
import { placeCall } from '../../../src/engine/endpoint/call/outgoing-call.ts'
import { openSipEndpoint } from '../../../src/engine/endpoint/signalling/sip-endpoint.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { systemTimers } from '../../../src/kit/timers.ts'
import { firstValue } from '../../../src/sip/message/message.ts'
import { noParams } from '../../../src/sip/syntax/params.ts'
import { sipUri } from '../../../src/sip/uri/uri.ts'
import { createJournal } from '../peers/journal.ts'
import { keep, type TestScope } from './engine-setup.ts'

const log = createLog('silent')
const host = '127.0.0.1'
const carrierHertz = 1000
const callerNumber = '5548988887777'

type Options = { answers?: boolean }

export async function openCarrier(t: TestScope, { answers = false }: Options = {}) {
  const arrived = createJournal<{ callId: string; invite: string; call: IncomingCall }>('carrier')
  const carrier = keep(t, await openSipEndpoint({ host, product: 'carrier', timers: systemTimers, log }))
  carrier.userAgent.onInvite((leg) => {
    const call = receiveCall(leg, { host, timers: systemTimers, log })
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
    /** Calls a number of the service at that port. */
    call(number: string, port: number) {
      const remote = { address: host, port }
      const addressOf = (user: string, at: number) => ({
        name: undefined,
        uri: sipUri({ user, host, port: at }),
        params: noParams,
      })
      const to = addressOf(number, port)
      const calling = {
        uri: to.uri,
        target: { transport: 'udp' as const, remote },
        from: addressOf(callerNumber, carrier.address.port),
        to,
      }
      const deps = { userAgent: carrier.userAgent, host, timers: systemTimers, log }
      return placeCall(deps, calling, { play: toneSource(carrierHertz) })
    },
    incoming: async (callId: string, within = 30_000) =>
      await arrived.until((one) => one.callId === callId, { within }),
  }
}
