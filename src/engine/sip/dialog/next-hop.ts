/** Which way a message within a dialog takes. */
import { isPublicAddress } from '../../../kit/networks.ts'
import type { Flow, Target } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'

/**
 * The way the other end was last heard from, since what a phone behind a NAT writes in its Contact leads nowhere.
 * A carrier's proxy that left the dialog is another matter: where both addresses are public and differ,
 * RFC 3261, 12.2.1.1 holds to the letter. Connections that are encrypted or a browser's are never left.
 */
export function nextHopTarget(heard: Target, nextHop: Uri): Target {
  const { transport, remote } = heard
  if (transport !== 'udp' && transport !== 'tcp') return heard
  if (nextHop.scheme !== 'sip' || nextHop.host === remote.address) return heard
  if ((nextHop.params.get('transport') ?? 'udp').toLowerCase() !== transport) return heard
  if (!isPublicAddress(nextHop.host) || !isPublicAddress(remote.address)) return heard
  const elsewhere = { address: nextHop.host, port: nextHop.port ?? 5060 }
  return transport === 'udp' ? { ...heard, remote: elsewhere } : { transport, remote: elsewhere }
}

/** Whether a connection that closed was the only way: one to a browser cannot be made from here. */
export function dependsOnConnection(heard: Target, closed: Flow): boolean {
  if (closed.transport !== 'ws' && closed.transport !== 'wss') return false
  return 'connection' in heard && heard.connection !== undefined && heard.connection === closed.connection
}
