/** Attended transfer: the call that is on hold while a third party is asked whether they take it. */
import type { RTCSession } from 'jssip/lib/RTCSession'
import { type PhoneCall, setPhone } from './state.ts'

type Parked = { session: RTCSession; call: PhoneCall }

export function createParking() {
  let parked: Parked | undefined

  function take(): Parked | undefined {
    const taken = parked
    parked = undefined
    setPhone({ parked: undefined })
    return taken
  }

  return {
    current: () => parked,
    park(session: RTCSession, call: PhoneCall) {
      session.hold()
      parked = { session, call }
      setPhone({ call: undefined, parked: call })
    },
    take,
    onOver(ended: RTCSession) {
      if (parked?.session === ended) take()
    },
    /** Connects it with the call that is talked in; this phone leaves both. */
    connect(talking: RTCSession, onFailed: () => void) {
      const target = talking.remote_identity.uri.toString()
      const eventHandlers = { requestFailed: onFailed, failed: onFailed }
      parked?.session.refer(target, { replaces: talking, eventHandlers })
    },
  }
}
