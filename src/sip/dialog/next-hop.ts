/** Where a request within a dialog is sent. */
import { isPublicAddress } from '../../kit/networks.ts'
import type { Flow, Target } from '../transport/flow.ts'
import type { Uri } from '../uri/uri.ts'

/**
 * Back along the flow of the peer's last message: the Contact of a phone behind a NAT cannot be reached. If both
 * addresses are public and differ, a proxy has left the dialog and RFC 3261, 12.2.1.1 applies: the next hop is the top
 * route or the remote target. TLS and WebSocket connections are always kept.
 */
export function nextHopTarget(remoteFlow: Target, nextHop: Uri): Target {
  const { transport, remote } = remoteFlow
  if (transport !== 'udp' && transport !== 'tcp') return remoteFlow
  if (nextHop.scheme !== 'sip' || nextHop.host === remote.address) return remoteFlow
  if ((nextHop.params.get('transport') ?? 'udp').toLowerCase() !== transport) return remoteFlow
  if (!isPublicAddress(nextHop.host) || !isPublicAddress(remote.address)) return remoteFlow
  const elsewhere = { address: nextHop.host, port: nextHop.port ?? 5060 }
  return transport === 'udp' ? { ...remoteFlow, remote: elsewhere } : { transport, remote: elsewhere }
}

export const isWebSocket = ({ transport }: Target) => transport === 'ws' || transport === 'wss'

/** True if the peer is unreachable once this connection is closed: we cannot connect to a browser. */
export function dependsOnConnection(remoteFlow: Target, closed: Flow): boolean {
  if (!isWebSocket(closed)) return false
  return (
    'connection' in remoteFlow &&
    remoteFlow.connection !== undefined &&
    remoteFlow.connection === closed.connection
  )
}
