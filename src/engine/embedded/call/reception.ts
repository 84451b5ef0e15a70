/** D420: what a call knows of the reception of its sides: which of them must send, and whether their sound can reach us. */
import type { SideName } from '../../../media/relay/side.ts'
import type { Terms } from '../../../sip/sdp/terms.ts'

export function createReception() {
  /** Sides whose sound came. */
  const heard = new Set<SideName>()
  /** Sides that were allowed not to send, by hold or by a link to another call. */
  const excused = new Set<SideName>()
  const described = new Set<SideName>()
  /** Sides with DTLS: their certificate, and whether the handshake with it is over. */
  const fingerprints = new Map<SideName, string>()
  const connected = new Set<SideName>()

  return {
    onHeard: (side: SideName) => void heard.add(side),
    onConnected: (side: SideName) => void connected.add(side),
    /** Another certificate means another handshake. */
    describe(side: SideName, { direction, protection }: Pick<Terms, 'direction' | 'protection'>) {
      described.add(side)
      if (direction !== 'sendrecv') excused.add(side)
      const fingerprint = protection.kind === 'dtls' ? protection.fingerprint.value : undefined
      if (fingerprint !== fingerprints.get(side)) connected.delete(side)
      if (fingerprint === undefined) fingerprints.delete(side)
      else fingerprints.set(side, fingerprint)
    },
    /** D282: its sound is that of another call. */
    link(side: SideName) {
      excused.add(side)
      fingerprints.delete(side)
    },
    isHeard: (side: SideName) => heard.has(side),
    /** Also true of a side without a handshake. */
    isConnected: (side: SideName) => !fingerprints.has(side) || connected.has(side),
    mustSend: (side: SideName) => described.has(side) && !excused.has(side),
  }
}
