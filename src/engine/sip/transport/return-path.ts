/** Which way a response takes (RFC 3261, 18.2.2; RFC 3581). */
import { replyTo, type Via } from '../headers/via.ts'
import type { Flow, Target } from './flow.ts'

/**
 * Always to the address the request came from, whatever `maddr` or a `received` of the sender's own says: nobody can
 * aim our answers at others. The port is the source's where `rport` asks for it, else that of sent-by. On a connection
 * the port is for the case that it is gone and a new one must be made.
 */
export function returnPath(flow: Flow, top: Via): Target {
  const { port = defaultPort(flow) } = flow.transport === 'udp' ? replyTo(top) : top
  return { ...flow, remote: { address: flow.remote.address, port } }
}

function defaultPort({ transport }: Flow): number {
  return transport === 'tls' || transport === 'wss' ? 5061 : 5060
}
