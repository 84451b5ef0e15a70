/**
 * D630: the UDP sockets of media by system calls of our own, on Linux. All sockets of a thread are in one epoll. While
 * any is open, the thread waits for packets in turns, between which the event loop of Node does the rest.
 *
 *   event loop ─▶ turn: epoll_wait ─▶ recvmsg into the memory of the thread ─▶ onPacket ─▶ send
 *       ▲                                                                                    │
 *       └─────────────────────────── at most maxWaitMs later ◀───────────────────────────────┘
 */
import { closeSync, openSync } from 'node:fs'
import { markSocket } from './dscp.ts'
import { constants, type Libc } from './libc.ts'
import { type OnPacket, PortInUse, type Udp } from './port.ts'
import { createReceiveMemory, readMs, writeEvent } from './receive-memory.ts'
import {
  addressLength,
  type Family,
  familyOf,
  maxAddressLength,
  readAddress,
  readPort,
  writeAddress,
} from './socket-address.ts'

const { AF_UNSPEC, AF_INET6, SOCK_DGRAM, SOCK_NONBLOCK, CLOEXEC, SOL_SOCKET } = constants
/** In about as many packets, or after so long without one, the timers and messages of the thread have their turn. */
const maxPackets = 256
const maxWaitMs = 4
/** How long the difference between the clocks of kernel and thread is used. */
const clockMs = 100
/** An arrival that seems longer ago was stamped before the clock of the system was set. */
const maxAgeMs = 1_000

/** Where a packet came from, as the kernel said it last: read anew only when it changes. */
type Sender = { words: Int32Array; port: number; address: string }
type Receiver = { fd: number; onPacket: OnPacket; compared: number; sender: Sender; dropped: number }

export function createEpollUdp(libc: Libc, dscp = 0): Udp {
  const memory = createReceiveMemory(libc)
  const epoll = ownedByThread(libc, checked(libc, libc.epoll_create1(CLOEXEC)))
  const receivers = new Map<number, Receiver>()
  const clock = createKernelClock(libc)
  let lastId = 0
  let isWaiting = false

  function startWaiting() {
    if (isWaiting) return
    isWaiting = true
    setImmediate(takeTurn)
  }

  /** Packets that come meanwhile are received too, which is cheaper than another turn. */
  function takeTurn() {
    isWaiting = false
    if (receivers.size === 0) return
    startWaiting()
    let count = receiveRound(maxWaitMs)
    for (let total = count; count > 0 && total < maxPackets; total += count) count = receiveRound(0)
  }

  /** One packet of each socket: one that has more is ready again. */
  function receiveRound(timeoutMs: number): number {
    const count = libc.epoll_wait(epoll, memory.events, memory.maxEvents, timeoutMs)
    const now = performance.now()
    for (let index = 0; index < count; index += 1) {
      const receiver = receivers.get(memory.eventData(index))
      if (receiver) receive(receiver, now)
    }
    return count
  }

  function receive(receiver: Receiver, now: number) {
    memory.prepare()
    const length = libc.recvmsg(receiver.fd, memory.message, 0)
    // Nothing there, or the refusal of a packet that was sent before.
    if (length < 0) return
    const { arrivedAt, dropped } = memory.readControl()
    if (dropped > 0) receiver.dropped = dropped
    const sender = senderOf(receiver)
    receiver.onPacket(memory.packet(length), sender.port, sender.address, clock.toThread(arrivedAt, now))
  }

  function senderOf({ sender, compared }: Receiver): Sender {
    let same = 0
    while (same < compared && sender.words[same] === memory.sender[same]) same += 1
    if (same === compared) return sender
    sender.words.set(memory.sender)
    sender.port = readPort(memory.senderBytes)
    sender.address = readAddress(libc, memory.senderBytes)
    return sender
  }

  function bindSocket(host: string, port: number, family: Family): number {
    const fd = ownedByThread(
      libc,
      checked(libc, libc.socket(family, SOCK_DGRAM | SOCK_NONBLOCK | CLOEXEC, 0)),
    )
    try {
      const address = Buffer.alloc(maxAddressLength)
      if (!writeAddress(libc, address, family, port, host)) throw new Error('EINVAL')
      checked(libc, libc.bind(fd, address, addressLength(family)))
      for (const option of [constants.SO_TIMESTAMPNS, constants.SO_RXQ_OVFL]) setOption(libc, fd, option)
      if (dscp > 0) markSocket(libc, fd, dscp)
      return fd
    } catch (error) {
      closeSync(fd)
      throw new PortInUse(port, error)
    }
  }

  return {
    async open({ host, port, onPacket }) {
      const family = familyOf(host)
      const fd = bindSocket(host, port, family)
      lastId += 1
      const id = lastId
      const receiver: Receiver = {
        fd,
        onPacket,
        compared: family === AF_INET6 ? 6 : 2,
        sender: { words: new Int32Array(memory.sender.length), port: 0, address: '' },
        dropped: 0,
      }
      receivers.set(id, receiver)
      checked(libc, libc.epoll_ctl(epoll, constants.EPOLL_CTL_ADD, fd, writeEvent(constants.EPOLLIN, id)))
      startWaiting()
      return {
        ...createSending(libc, fd, family),
        dropped: () => receiver.dropped,
        async close() {
          receivers.delete(id)
          libc.epoll_ctl(epoll, constants.EPOLL_CTL_DEL, fd, writeEvent(0, id))
          closeSync(fd)
        },
      }
    },
  }
}

function createSending(libc: Libc, fd: number, family: Family) {
  const length = addressLength(family)
  const nobody = Buffer.alloc(maxAddressLength)
  nobody.writeUInt16LE(AF_UNSPEC, 0)
  /** Where a packet was sent to last. */
  const target = { bytes: Buffer.alloc(maxAddressLength), port: 0, address: '', isValid: false }

  function aim(port: number, address: string): boolean {
    if (target.port === port && target.address === address) return target.isValid
    target.port = port
    target.address = address
    target.isValid = writeAddress(libc, target.bytes, family, port, address)
    return target.isValid
  }

  return {
    send: (packet: Buffer) => void libc.send(fd, packet, packet.length, 0),
    sendTo(packet: Buffer, port: number, address: string) {
      if (aim(port, address)) libc.sendto(fd, packet, packet.length, 0, target.bytes, length)
    },
    connect: (port: number, address: string) =>
      aim(port, address) && libc.connect(fd, target.bytes, length) === 0,
    disconnect: () => void libc.connect(fd, nobody, length),
  }
}

/** Turns the times of the kernel's clock into those of `performance.now()`. */
function createKernelClock(libc: Libc) {
  const time = Buffer.alloc(16)
  const bytes = new DataView(time.buffer, time.byteOffset, time.length)
  let difference = 0
  let comparedAt = Number.NEGATIVE_INFINITY

  return {
    toThread(kernelMs: number, now: number): number {
      if (kernelMs === 0) return now
      if (now - comparedAt > clockMs) {
        libc.clock_gettime(constants.CLOCK_REALTIME, time)
        difference = readMs(bytes, 0) - performance.now()
        comparedAt = now
      }
      const at = kernelMs - difference
      return at <= now && now - at < maxAgeMs ? at : now
    },
  }
}

function setOption(libc: Libc, fd: number, option: number) {
  const on = Buffer.alloc(4)
  on.writeInt32LE(1)
  checked(libc, libc.setsockopt(fd, SOL_SOCKET, option, on, on.length))
}

/**
 * A descriptor that Node closes when the thread ends, however it ends, as it does with files that `fs` opened
 * (`trackUnmanagedFds` of Worker): it takes the place of such a file.
 */
function ownedByThread(libc: Libc, fd: number): number {
  const owned = openSync('/dev/null', 'r')
  const moved = libc.dup3(fd, owned, CLOEXEC)
  const failure = moved < 0 ? libc.lastError() : undefined
  libc.close(fd)
  if (!failure) return owned
  closeSync(owned)
  throw failure
}

function checked(libc: Libc, result: number): number {
  if (result < 0) throw libc.lastError()
  return result
}
