/** Reads the marks (DSCP) of the sockets of this process, whatever part of it has opened them. Linux only. */
import { createRequire } from 'node:module'

const maxDescriptors = 4096
const maxAddressLength = 28
const marks = { 2: { level: 0, option: 1 }, 10: { level: 41, option: 67 } } as const

/** Marks of all sockets that are bound, with their ports. */
export function socketMarks(): { port: number; mark: number }[] {
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi')
  const libc = koffi.load('libc.so.6')
  const getsockname = libc.func('int getsockname(int, void *, void *)')
  const getsockopt = libc.func('int getsockopt(int, int, int, void *, void *)')
  const address = Buffer.alloc(maxAddressLength)
  const value = Buffer.alloc(4)
  const length = Buffer.alloc(4)
  const found: { port: number; mark: number }[] = []
  for (let fd = 0; fd < maxDescriptors; fd += 1) {
    length.writeUInt32LE(address.length)
    if (getsockname(fd, address, length) !== 0) continue
    const family = address.readUInt16LE(0)
    if (family !== 2 && family !== 10) continue
    length.writeUInt32LE(value.length)
    const { level, option } = marks[family]
    if (getsockopt(fd, level, option, value, length) !== 0) continue
    found.push({ port: address.readUInt16BE(2), mark: value.readInt32LE() >> 2 })
  }
  return found
}
