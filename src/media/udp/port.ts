/** The UDP sockets of media: what a media thread needs of the system. `testing/udp-contract-suite.ts` says it as tests. */

/**
 * `packet` may be memory that the next packet is received into: it may be changed and sent during the call, and must be
 * copied to be kept. A packet longer than `maxPacketLength` may be cut, but not to that length or less.
 * `arrivedAt`: when the kernel received it, or if that is unknown, when it was read; on the clock of `performance.now()`.
 */
export type OnPacket = (packet: Buffer, port: number, address: string, arrivedAt: number) => void

/**
 * A packet that cannot be sent counts as lost on the network: sending reports no error. The memory of a packet may be used again once
 * `send` has returned.
 */
export type UdpSocket = {
  /** To the peer that it is connected to. */
  send(packet: Buffer): void
  sendTo(packet: Buffer, port: number, address: string): void
  /**
   * Connected, or not, when it returns: true if it is. The kernel drops what comes from elsewhere. Not for a socket that is
   * bound to all addresses: connecting would choose one of them.
   */
  connect(port: number, address: string): boolean
  disconnect(): void
  /** Packets that the kernel dropped because they were not read in time, as far as it said; undefined if it never does. */
  dropped(): number | undefined
  /** No packet is delivered after the call; the port is free once it resolves. */
  close(): Promise<void>
}

/** `port` is never 0: a port that the system chose would be lost when the socket is disconnected. */
type OpenOptions = { host: string; port: number; onPacket: OnPacket }

export type Udp = {
  /** Rejects with `PortInUse`. No packet is delivered before it resolves. */
  open(options: OpenOptions): Promise<UdpSocket>
}

/** The port is in use, perhaps by another process, or the host has no such address. */
export class PortInUse extends Error {
  readonly port: number
  constructor(port: number, cause: unknown) {
    super(`port ${port} cannot be used`, { cause })
    this.port = port
  }
}
