/**
 * D238: the protection of one side's packets, between its socket and the relay, which sees clear RTP only.
 *
 *   socket ─▶ STUN: answered                       relay ─▶ protected ─▶ socket
 *          ─▶ DTLS: to the handshake, in its turn
 *          ─▶ SRTP: checked, decrypted ─▶ relay
 *
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
  send(datagram: Buffer, port: number, address: string): void
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

export function createSecuredSide(options: Options) {
  const { identity, handshakes, send, onProven, onConnected, onRefused } = options
  const ice = createIceLite()
  let security: Security | undefined
  let addresses: readonly string[] = []
  let srtp: Srtp | undefined
  let dtls: DtlsServer | undefined
  /** Where the handshake is done with. */
  let dtlsPeer: { port: number; address: string } | undefined
  let waiting = 0

  /** `from`: the addresses that the side's SDP and its signalling name. */
  function expect(next: Security | undefined, from: readonly string[]) {
    addresses = from
    const before = security
    security = next
    if (next?.kind === 'dtls' && next.ice) ice.expect(next.ice.local, next.ice.remoteUfrag)
    if (isSame(before, next)) return
    srtp =
      next?.kind === 'sdes' ? createSrtp(readMasterKey(next.ours), readMasterKey(next.theirs)) : undefined
    dtls = next?.kind === 'dtls' ? startDtls(next) : undefined
  }

  function startDtls({ fingerprint }: DtlsSecurity): DtlsServer {
    return createDtlsServer({
      identity,
      expected: fingerprint,
      send: (datagram) => dtlsPeer && send(datagram, dtlsPeer.port, dtlsPeer.address),
      onKeys: ({ ours, theirs }) => {
        srtp = createSrtp(ours, theirs)
        onConnected()
      },
      onEnd: (reason) => {
        if (!srtp) onRefused(reason)
      },
    })
  }

  /** The clear packet, undefined if it was none, or not authentic. */
  function open(packet: Buffer, port: number, address: string, now: number) {
    if (hasIce() && isStun(packet)) return answerCheck(packet, port, address, now)
    if (hasIce() && !ice.isChecked(address, port)) return undefined
    if (dtls && isDtls(packet)) {
      if (hasIce() || addresses.includes(address)) queueHandshake(dtls, packet, { port, address })
      return undefined
    }
    return decrypt(packet, port, address)
  }

  function queueHandshake(server: DtlsServer, packet: Buffer, from: { port: number; address: string }) {
    if (waiting >= maxWaiting) return
    waiting += 1
    handshakes.add(() => {
      waiting -= 1
      // Another SDP, or the end of the call, may have come first.
      if (server !== dtls) return
      dtlsPeer = from
      server.receive(packet, performance.now())
    })
  }

  const hasIce = () => security?.kind === 'dtls' && security.ice !== undefined

  function answerCheck(packet: Buffer, port: number, address: string, now: number): undefined {
    const response = ice.answerCheck(packet, address, port, now)
    if (!response) return undefined
    send(response, port, address)
    const selected = ice.selected(now)
    if (selected) onProven(selected.port, selected.address)
    return undefined
  }

  function decrypt(packet: Buffer, port: number, address: string) {
    if (!srtp || packet.length < 2) return undefined
    const kind: PacketKind = isMuxedRtcp(packet) ? 'rtcp' : 'rtp'
    const clear = kind === 'rtcp' ? srtp.receiver.unprotectRtcp(packet) : srtp.receiver.unprotectRtp(packet)
    if (!clear) return undefined
    if (!hasIce() && kind === 'rtp') onProven(port, address)
    return { kind, packet: clear }
  }

  /** The packet as it is sent; undefined without keys, or without consent of the peer. */
  function seal(packet: Buffer, kind: PacketKind, now: number): Buffer | undefined {
    if (!security) return packet
    if (!srtp || (hasIce() && !ice.selected(now))) return undefined
    return kind === 'rtp' ? srtp.sender.protectRtp(packet) : srtp.sender.protectRtcp(packet)
  }

  return {
    expect,
    open,
    seal,
    isSecured: () => security !== undefined,
    tick: (now: number) => dtls?.tick(now),
    /** Nothing is sent any more. */
    close() {
      dtls = undefined
      srtp = undefined
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
