/**
 * A softphone: registers one extension, takes and places one call at a time, plays and listens. For trying the
 * service at a terminal, for tests and for the doctor.
 */

import { noParams } from '../../sip/syntax/params.ts'
import type { Flow } from '../../sip/transport/flow.ts'
import { formatHostPort } from '../../sip/uri/host.ts'
import { sipUri } from '../../sip/uri/uri.ts'
import { localAddressTowards } from '../signalling/local-address.ts'
import { createRegistering, type RegisteringState } from '../signalling/registration-client.ts'
import { openStation } from '../signalling/sip-endpoint.ts'
import { createPhoneCalls } from './phone-calls.ts'
import type { SoftphoneSettings } from './softphone-settings.ts'

export type { PhoneEvent } from './softphone-settings.ts'

/** Trying again would not make the password right. */
const refusals = new Set([401, 403, 404, 407])

/** Registers in the background; `tell` says how that went. */
export async function createSoftphone(settings: SoftphoneSettings) {
  const { extension, password, domain, server, transport, timers, log, tell } = settings
  const host = await localAddressTowards(server)
  const place = formatHostPort({ host: server.address, port: server.port })
  const station = await openStation({
    host,
    user: extension,
    product: 'Ramal softphone',
    timers,
    log,
    webSocket: transport === 'ws' ? `ws://${place}` : undefined,
    onClosed: lost,
  })
  const { userAgent } = station
  const self = { name: undefined, uri: sipUri({ user: extension, host: domain }), params: noParams }
  const home = { target: { transport, remote: server }, from: self, login: { username: extension, password } }
  const calls = createPhoneCalls({ settings, userAgent, host, home })

  userAgent.onInvite(calls.take)
  const registering = createRegistering({
    userAgent,
    timers,
    asking: { ...home, uri: sipUri({ host: domain }), to: self },
    contact: station.contact(home.target),
    seconds: settings.registerSeconds ?? 300,
    retries: (status) => status === undefined || !refusals.has(status),
    changed: (state) => tellRegistering(state, tell),
  })

  /** A server that loses our connection cannot reach us any more. */
  function lost({ remote }: Flow) {
    if (remote.address === server.address && remote.port === server.port) registering.renew()
  }

  return {
    /** The next three are false where there is nothing to answer, to refuse, or to hang up. */
    answer: calls.answer,
    refuse: calls.refuse,
    hangUp: calls.hangUp,
    /** False while there is a call. */
    call: calls.dial,
    press: calls.press,
    heard: calls.heard,
    /** Hangs up, takes the registration back, closes everything. */
    async stop() {
      await calls.stop()
      await registering.stop()
      await station.stop()
    },
  }
}
export type Softphone = Awaited<ReturnType<typeof createSoftphone>>

function tellRegistering(state: RegisteringState, tell: SoftphoneSettings['tell']) {
  if (state.state === 'registered') return tell({ type: 'registered', seconds: state.seconds })
  if (state.state !== 'failed') return
  const { status, reason, retrySeconds } = state
  tell({
    type: 'registrationFailed',
    reason,
    ...(status === undefined ? {} : { status }),
    ...(retrySeconds === undefined ? {} : { retrySeconds }),
  })
}
