import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** An HTTP request for SIP over WebSocket (RFC 7118), on the service's own HTTP port. */
export type SipUpgrade = {
  request: IncomingMessage
  socket: Socket
  head: Buffer
  /** Address of the phone, also behind a proxy. */
  address: string
  /** It came over TLS. */
  isSecure: boolean
}
