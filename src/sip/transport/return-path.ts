/** Where a response is sent (RFC 3261, 18.2.2; RFC 3581). */
import { replyTo, type Via } from '../headers/via.ts'
import type { Flow, Target } from './flow.ts'

/**
 * Always to the source address of the request, whatever `maddr` or a forged `received` says, so that our responses
 * cannot be aimed at third parties. The port is the source port if `rport` asks for it (of phones always, D421), else
 * that of sent-by. For a
 * connection it is used only if the connection is closed and a new one must be opened.
 */
export function returnPath(flow: Flow, top: Via): Target {
  const { port = defaultPort(flow) } = flow.transport === 'udp' ? replyTo(top) : top
  return { ...flow, remote: { address: flow.remote.address, port } }
}

function defaultPort({ transport }: Flow): number {
  return transport === 'tls' || transport === 'wss' ? 5061 : 5060
}
