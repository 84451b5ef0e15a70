/**
 * D238: the protection of one side's packets, between its socket and the relay, which sees clear RTP only.
 *
 *   socket ─▶ STUN: answered                       relay ─▶ protected ─▶ socket
 *          ─▶ DTLS: to the handshake, in its turn
 *          ─▶ SRTP: checked, decrypted ─▶ relay
 *
 * RTCP on a port of its own has a handshake and keys of its own (RFC 5764, 4.2).
 * The sender of an authentic packet knows the key, so its address needs no other proof. With ICE only addresses that
 * were checked count; without it, handshakes are taken only from the addresses of the SDP and of the signalling.
 */
import type { Identity } from '../dtls/certificate.ts'
import { createDtlsServer, type DtlsServer } from '../dtls/dtls-server.ts'
import { isDtls } from '../dtls/record.ts'
import { createIceLite } from '../ice/ice-lite.ts'
import { isStun } from '../ice/stun.ts'
import type { PacketKind } from '../relay/relay.ts'
import { type MasterKey, readMasterKey } from '../srtp/session-keys.ts'
import { createSrtpReceiver, createSrtpSender, type SrtpReceiver, type SrtpSender } from '../srtp/srtp.ts'
import type { HandshakeQueue } from './handshake-queue.ts'
import type { DtlsSecurity, Security } from './security.ts'

type Options = {
  identity: Identity
  /** Shared by all sides in the thread. */
  handshakes: HandshakeQueue
  /** From the socket of RTP or of RTCP. */
  send(socket: PacketKind, datagram: Buffer, port: number, address: string): void
  /** The side has proven that it sends and receives there. */
  onProven(port: number, address: string): void
  /** The keys of a handshake are agreed. */
  onConnected(): void
  /** There will be no keys, or no more packets with them; `reason` is for the log. */
  onRefused(reason: string): void
}

/** Datagrams of a handshake that wait for their turn: a flight of the client has fewer. What is dropped, it repeats. */
const maxWaiting = 16

type Srtp = { sender: SrtpSender; receiver: SrtpReceiver }

/** What belongs to one socket of the side. */
type Component = {
  srtp: Srtp | undefined
  dtls: DtlsServer | undefined
  /** Where the handshake is done with. */
  peer: { port: number; address: string } | undefined
}

const emptyComponent = (): Component => ({ srtp: undefined, dtls: undefined, peer: undefined })

export function createSecuredSide(options: Options) {
  const { identity, handshakes, send, onProven, onConnected, onRefused } = options
  const ice = createIceLite()
  let security: Security | undefined
  let addresses: readonly string[] = []
  let components = { rtp: emptyComponent(), rtcp: emptyComponent() }
  let waiting = 0

  /** `from`: the addresses that the side's SDP and its signalling name. */
  function expect(next: Security | undefined, from: readonly string[]) {
    addresses = from
    const before = security
    security = next
    if (next?.kind === 'dtls' && next.ice) ice.expect(next.ice.local, next.ice.remoteUfrag)
    if (isSame(before, next)) return
    components = { rtp: emptyComponent(), rtcp: emptyComponent() }
    if (next?.kind === 'sdes') {
      const srtp = createSrtp(readMasterKey(next.ours), readMasterKey(next.theirs))
      components.rtp.srtp = srtp
      components.rtcp.srtp = srtp
    }
    if (next?.kind === 'dtls') {
      startDtls('rtp', next)
      startDtls('rtcp', next)
    }
  }

  function startDtls(socket: PacketKind, { fingerprint }: DtlsSecurity) {
    const component = components[socket]
    component.dtls = createDtlsServer({
      identity,
      expected: fingerprint,
      send: (datagram) =>
        component.peer && send(socket, datagram, component.peer.port, component.peer.address),
      onKeys: ({ ours, theirs }) => {
        component.srtp = createSrtp(ours, theirs)
        if (socket === 'rtp') onConnected()
      },
      onEnd: (reason) => {
        if (socket === 'rtp' && !component.srtp) onRefused(reason)
      },
    })
  }

  /** The clear packet, undefined if it was none, or not authentic. `socket`: where it came. */
  function open(socket: PacketKind, packet: Buffer, port: number, address: string, now: number) {
    if (hasIce() && isStun(packet)) return answerCheck(packet, port, address, now)
    if (hasIce() && !ice.isChecked(address, port)) return undefined
    const component = components[socket]
    if (component.dtls && isDtls(packet)) {
      if (hasIce() || addresses.includes(address)) queueHandshake(component, packet, { port, address })
      return undefined
    }
    return decrypt(component.srtp, packet, port, address)
  }

  function queueHandshake(component: Component, packet: Buffer, from: { port: number; address: string }) {
    if (waiting >= maxWaiting) return
    waiting += 1
    const kept = Buffer.from(packet)
    handshakes.add(() => {
      waiting -= 1
      // Another SDP, or the end of the call, may have come first: then it belongs to no socket any more.
      if (component !== components.rtp && component !== components.rtcp) return
      component.peer = from
      component.dtls?.receive(kept, performance.now())
    })
  }

  const hasIce = () => security?.kind === 'dtls' && security.ice !== undefined

  function answerCheck(packet: Buffer, port: number, address: string, now: number): undefined {
    const response = ice.answerCheck(packet, address, port, now)
    if (!response) return undefined
    send('rtp', response, port, address)
    const selected = ice.selected(now)
    if (selected) onProven(selected.port, selected.address)
    return undefined
  }

  function decrypt(srtp: Srtp | undefined, packet: Buffer, port: number, address: string) {
    if (!srtp || packet.length < 2) return undefined
    const kind: PacketKind = isMuxedRtcp(packet) ? 'rtcp' : 'rtp'
    const clear = kind === 'rtcp' ? srtp.receiver.unprotectRtcp(packet) : srtp.receiver.unprotectRtp(packet)
    if (!clear) return undefined
    if (hasIce()) ice.use(address, port)
    if (hasIce() || kind === 'rtp') onProven(port, address)
    return { kind, packet: clear }
  }

  /** The packet as it is sent from the socket; undefined without keys, or without consent of the peer. */
  function seal(socket: PacketKind, packet: Buffer, kind: PacketKind, now: number): Buffer | undefined {
    if (!security) return packet
    const { srtp } = components[socket]
    if (!srtp || (hasIce() && !ice.selected(now))) return undefined
    return kind === 'rtp' ? srtp.sender.protectRtp(packet) : srtp.sender.protectRtcp(packet)
  }

  return {
    expect,
    open,
    seal,
    isSecured: () => security !== undefined,
    tick(now: number) {
      components.rtp.dtls?.tick(now)
      components.rtcp.dtls?.tick(now)
    },
    /** Nothing is sent any more. */
    close() {
      components = { rtp: emptyComponent(), rtcp: emptyComponent() }
    },
  }
}
export type SecuredSide = ReturnType<typeof createSecuredSide>

function createSrtp(ours: MasterKey, theirs: MasterKey): Srtp {
  return { sender: createSrtpSender(ours), receiver: createSrtpReceiver(theirs) }
}

/** RFC 5761, 4: the second octet of RTCP is between 192 and 223. */
function isMuxedRtcp(packet: Buffer): boolean {
  const second = packet[1] ?? 0
  return second >= 192 && second <= 223
}

/** Whether the keys stay: an ICE restart alone does not change them. */
function isSame(before: Security | undefined, next: Security | undefined): boolean {
  if (before?.kind === 'dtls' && next?.kind === 'dtls') {
    return before.fingerprint.value === next.fingerprint.value
  }
  if (before?.kind === 'sdes' && next?.kind === 'sdes') {
    return before.ours === next.ours && before.theirs === next.theirs
  }
  return before === next
}
