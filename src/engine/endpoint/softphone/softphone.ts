/**
 * A softphone: registers one extension, receives and places one call at a time, plays and analyses audio. For trying
 * the service at a terminal, for tests and for the doctor.
 */

import { noParams } from '../../../sip/syntax/params.ts'
import type { Flow } from '../../../sip/transport/flow.ts'
import { formatHostPort } from '../../../sip/uri/host.ts'
import { sipUri } from '../../../sip/uri/uri.ts'
import { localAddressTowards } from '../signalling/local-address.ts'
import { createRegistrationClient, type RegistrationState } from '../signalling/registration-client.ts'
import { openSipEndpoint } from '../signalling/sip-endpoint.ts'
import { createPhoneCalls } from './phone-calls.ts'
import type { SoftphoneSettings } from './softphone-settings.ts'

export type { PhoneEvent } from './softphone-settings.ts'

/** A retry would not make the password right. */
const finalStatuses = new Set([401, 403, 404, 407])

/** Registers in the background and emits the result as an event. */
export async function createSoftphone(settings: SoftphoneSettings) {
  const { extension, password, domain, server, transport, retries = true, timers, log, onEvent } = settings
  const host = await localAddressTowards(server)
  const serverAddress = formatHostPort({ host: server.address, port: server.port })
  const endpoint = await openSipEndpoint({
    host,
    user: extension,
    product: 'Ramal softphone',
    timers,
    log,
    webSocket: transport === 'ws' ? `ws://${serverAddress}` : undefined,
    onClosed: onConnectionLost,
  })
  const { userAgent } = endpoint
  const self = { name: undefined, uri: sipUri({ user: extension, host: domain }), params: noParams }
  const account = {
    target: { transport, remote: server },
    from: self,
    login: { username: extension, password },
  }
  const calls = createPhoneCalls({ settings, userAgent, host, account })

  userAgent.onInvite(calls.receive)
  const registration = createRegistrationClient({
    userAgent,
    timers,
    request: { ...account, uri: sipUri({ host: domain }), to: self },
    contact: endpoint.contact(account.target),
    seconds: settings.registerSeconds ?? 300,
    shouldRetry: (status) => retries && (status === undefined || !finalStatuses.has(status)),
    onChange: (state) => emitRegistration(state, onEvent),
  })

  /** Without the connection the server cannot reach us until we register again. */
  function onConnectionLost({ remote }: Flow) {
    if (remote.address === server.address && remote.port === server.port) registration.renew()
  }

  return {
    /** `answer`, `refuse` and `hangUp` return false if there is no such call. */
    answer: calls.answer,
    refuse: calls.refuse,
    hangUp: calls.hangUp,
    /** Places a call; false while there is another one. */
    call: calls.dial,
    press: calls.press,
    heard: calls.heard,
    /** Hangs up, unregisters and closes all sockets. */
    async stop() {
      await calls.stop()
      await registration.stop()
      await endpoint.stop()
    },
  }
}
export type Softphone = Awaited<ReturnType<typeof createSoftphone>>

function emitRegistration(state: RegistrationState, onEvent: SoftphoneSettings['onEvent']) {
  if (state.state === 'registered') return onEvent({ type: 'registered', seconds: state.seconds })
  if (state.state !== 'failed') return
  const { status, reason, retrySeconds } = state
  onEvent({
    type: 'registrationFailed',
    reason,
    ...(status === undefined ? {} : { status }),
    ...(retrySeconds === undefined ? {} : { retrySeconds }),
  })
}
