/** Requests to a carrier outside of calls: where they go, and who sends them. */
import { noParams } from '../../../sip/syntax/params.ts'
import type { Peer, Target } from '../../../sip/transport/flow.ts'
import { sipUri } from '../../../sip/uri/uri.ts'
import type { RequestOptions } from '../../../sip/user-agent/out-of-dialog-request.ts'
import type { Trunk } from './trunk.ts'

export function targetAt({ transport, address }: Trunk, remote: Peer): Target {
  // The certificate is checked against the name, not the address it resolved to.
  return transport === 'tls' ? { transport, remote, name: address.host } : { transport, remote }
}

export function requestTo({ address, login }: Trunk, target: Target): Omit<RequestOptions, 'method'> {
  const uri = sipUri({ ...address, user: login?.username ?? 'ramal', params: noParams })
  const who = { name: undefined, uri, params: noParams }
  return { uri: address, target, from: who, to: who, ...(login ? { login } : {}) }
}
