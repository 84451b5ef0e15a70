/**
 * The memory that packets are received into, one after the other: a `msghdr` with the sender's address, the packet and
 * its control messages, and the events of epoll. It is allocated once and never moves.
 */
import { createPacketViews } from '../rtp/packet-views.ts'
import type { Libc } from './libc.ts'

/** Longer packets are cut: none that the relay accepts is as long (`maxPacketLength`). */
const maxLength = 2048
const maxEvents = 512
/** The layout of `struct epoll_event`, which is packed on x86. */
const event = process.arch === 'x64' ? { length: 12, data: 4 } : { length: 16, data: 8 }

const nameLength = 28
const controlLength = 128
const controlHeaderLength = 16
/** `SO_TIMESTAMPNS` and `SO_RXQ_OVFL`, as types of control messages. */
const arrival = 35
const overflow = 40

const at = { packet: 0, events: 2048, name: 12_288, control: 12_352, vector: 12_544, message: 12_608 }
const totalLength = 12_672

export function createReceiveMemory(libc: Pick<Libc, 'allocate'>) {
  const { memory, address } = libc.allocate(totalLength)
  const words = new Int32Array(memory)
  const bytes = new DataView(memory)
  new Uint8Array(memory).fill(0)
  const pointerTo = (offset: number) => address + BigInt(offset)
  bytes.setBigUint64(at.vector, pointerTo(at.packet), true)
  bytes.setBigUint64(at.vector + 8, BigInt(maxLength), true)
  bytes.setBigUint64(at.message, pointerTo(at.name), true)
  bytes.setBigUint64(at.message + 16, pointerTo(at.vector), true)
  bytes.setBigUint64(at.message + 24, 1n, true)
  bytes.setBigUint64(at.message + 32, pointerTo(at.control), true)
  const wordOf = (offset: number) => offset / 4
  const usedName = wordOf(at.message + 8)
  const usedControl = wordOf(at.message + 40)
  const control = { arrivedAt: 0, dropped: 0 }

  return {
    message: pointerTo(at.message),
    events: pointerTo(at.events),
    maxEvents,
    /** Where the kernel writes the address of a sender, as a sockaddr. */
    sender: words.subarray(wordOf(at.name), wordOf(at.name + nameLength)),
    senderBytes: Buffer.from(memory, at.name, nameLength),
    /** The number that the descriptor of an event was registered with. */
    eventData: (index: number) => bytes.getInt32(at.events + index * event.length + event.data, true),
    /** Before each packet: the kernel has written what it used of the room for address and control messages. */
    prepare() {
      words[usedName] = nameLength
      words[usedControl] = controlLength
    },
    packet: createPacketViews(memory, at.packet),
    /** When the kernel received the packet, in ms of its own clock, 0 if it does not say; how many it dropped before. */
    readControl() {
      control.arrivedAt = 0
      control.dropped = 0
      const end = at.control + Math.min(words[usedControl] ?? 0, controlLength)
      let from = at.control
      while (from + controlHeaderLength < end) {
        const length = bytes.getInt32(from, true)
        if (length < controlHeaderLength) break
        const type = bytes.getInt32(from + 12, true)
        const data = from + controlHeaderLength
        if (type === arrival) control.arrivedAt = readMs(bytes, data)
        if (type === overflow) control.dropped = bytes.getUint32(data, true)
        from += (length + 7) & ~7
      }
      return control
    },
  }
}

/** A `struct timespec` in ms. */
export function readMs(bytes: DataView, offset: number): number {
  const seconds = bytes.getUint32(offset, true) + bytes.getInt32(offset + 4, true) * 2 ** 32
  return seconds * 1000 + bytes.getUint32(offset + 8, true) / 1e6
}

/** For `epoll_ctl`: the events that are waited for, and a number that comes back with them. */
export function writeEvent(events: number, data: number): Buffer {
  const written = Buffer.alloc(event.length)
  written.writeUInt32LE(events, 0)
  written.writeInt32LE(data, event.data)
  return written
}
