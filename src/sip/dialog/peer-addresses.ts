/**
 * D183: the addresses from which the peer of a dialog may send requests: where its own messages came from, and those it
 * named in Contact and Record-Route. Knowing the tags is not enough: they can be overheard.
 */
import { contacts, recordRoutes } from '../headers/parties.ts'
import type { SipMessage } from '../message/message.ts'
import { SipRefusal } from '../refusal.ts'
import type { Target } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'

export function createPeerAddresses({ remote }: Target) {
  const addresses = new Set([remote.address])
  const addHost = (uri: Uri) => {
    if (uri.scheme === 'sip' || uri.scheme === 'sips') addresses.add(uri.host)
  }

  return {
    has: (address: string) => addresses.has(address),
    add: (address: string) => void addresses.add(address),
    /** A message of the peer that creates the dialog. */
    addFrom(message: SipMessage, { remote: { address } }: Target) {
      addresses.add(address)
      try {
        const listed = contacts(message)
        for (const { uri } of [...(listed === '*' ? [] : listed), ...recordRoutes(message)]) addHost(uri)
      } catch (error) {
        // A malformed header names no address.
        if (!(error instanceof SipRefusal)) throw error
      }
    },
  }
}
export type PeerAddresses = ReturnType<typeof createPeerAddresses>
