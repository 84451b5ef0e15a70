/** Where a message came from and where one is sent to. A flow is RFC 5626's word for the path between two ends. */

export type Transport = 'udp' | 'tcp' | 'tls' | 'ws' | 'wss'

/** The address is numeric: host names are resolved by the layers above. */
export type Peer = { address: string; port: number }

/** The path a message arrived on; responses and later requests can be sent back along it. */
export type Flow = {
  readonly transport: Transport
  readonly local: Peer
  readonly remote: Peer
  /** Id of the connection; undefined for UDP, and while a connection is still to be made. */
  readonly connection?: number
  /** D252: the phone behind a trusted edge proxy, as the proxy names it; `remote` is the proxy then. */
  readonly source?: Peer
}

/** Who a flow counts for: the phone behind a trusted proxy, else the peer itself. */
export function sourceOf(flow: Pick<Flow, 'remote'> & { readonly source?: Peer }): Peer {
  return flow.source ?? flow.remote
}

/** Responses do not name the phone behind a proxy: it is still the one before, at the same proxy. */
export function keepSource<F extends Target>(before: Target, flow: F): F {
  if (!('source' in before) || before.source === undefined || 'source' in flow) return flow
  return before.remote.address === flow.remote.address ? { ...flow, source: before.source } : flow
}

/** Whether to accept a connection, or to read a message. `proven`: the connection has authenticated. */
export type Admit = (
  from: Pick<Flow, 'transport' | 'remote'>,
  bytes?: Buffer,
  proven?: boolean,
  /** Size of the message, where `bytes` are only a part of it. */
  size?: number,
) => boolean

/**
 * A flow, or only the peer to reach: an open connection to that peer is used, otherwise a new one is made. For ws and
 * wss none is ever made, nor in place of a closed connection that the peer had opened.
 */
export type Target =
  | Flow
  | {
      transport: Transport
      remote: Peer
      /** The host name that the address was resolved from; a TLS certificate must be valid for it. */
      name?: string
    }
