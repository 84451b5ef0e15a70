/**
 * The functions of libc that UDP sockets need, by koffi. A wrong pointer ends the process: these few functions, which get
 * Buffers or addresses in the fixed memory of `receive-memory.ts`, and no others. D636: none of them calls back. Linux on
 * 64-bit x86 and ARM only, whose constants and structures are those below.
 */
import { createRequire } from 'node:module'
import { getSystemErrorName } from 'node:util'

type Koffi = typeof import('koffi')
/** A `void *` of the library. */
type Pointer = Buffer | bigint

export type Libc = {
  socket(family: number, type: number, protocol: number): number
  bind(fd: number, address: Buffer, length: number): number
  connect(fd: number, address: Buffer, length: number): number
  setsockopt(fd: number, level: number, name: number, value: Buffer, length: number): number
  recvmsg(fd: number, message: Pointer, flags: number): number
  send(fd: number, packet: Buffer, length: number, flags: number): number
  sendto(fd: number, packet: Buffer, length: number, flags: number, to: Buffer, toLength: number): number
  epoll_create1(flags: number): number
  epoll_ctl(epoll: number, operation: number, fd: number, event: Buffer): number
  epoll_wait(epoll: number, events: Pointer, maxEvents: number, timeoutMs: number): number
  dup3(fd: number, as: number, flags: number): number
  close(fd: number): number
  clock_gettime(clock: number, into: Buffer): number
  inet_ntop(family: number, address: Buffer, into: Buffer, length: number): unknown
  inet_pton(family: number, text: string, into: Buffer): number
  /** Memory that never moves. */
  allocate(length: number): { memory: ArrayBuffer; address: bigint }
  /** The error of the function called last, such as `EADDRINUSE`. */
  lastError(): Error
}

export const constants = {
  AF_UNSPEC: 0,
  AF_INET: 2,
  AF_INET6: 10,
  SOCK_DGRAM: 2,
  SOCK_NONBLOCK: 0x800,
  CLOEXEC: 0x8_0000,
  SOL_SOCKET: 1,
  IPPROTO_IP: 0,
  IP_TOS: 1,
  IPPROTO_IPV6: 41,
  IPV6_TCLASS: 67,
  SO_TIMESTAMPNS: 35,
  SO_RXQ_OVFL: 40,
  EPOLL_CTL_ADD: 1,
  EPOLL_CTL_DEL: 2,
  EPOLLIN: 1,
  CLOCK_REALTIME: 0,
} as const

const signatures = [
  'int socket(int, int, int)',
  'int bind(int, void *, uint32_t)',
  'int connect(int, void *, uint32_t)',
  'int setsockopt(int, int, int, void *, uint32_t)',
  'int recvmsg(int, void *, int)',
  'int send(int, void *, size_t, int)',
  'int sendto(int, void *, size_t, int, void *, uint32_t)',
  'int epoll_create1(int)',
  'int epoll_ctl(int, int, int, void *)',
  'int epoll_wait(int, void *, int, int)',
  'int dup3(int, int, int)',
  'int close(int)',
  'int clock_gettime(int, void *)',
  'void *inet_ntop(int, void *, void *, uint32_t)',
  'int inet_pton(int, str, void *)',
]

/** Undefined where it cannot be used, and why. */
export function loadLibc(): { libc: Libc } | { libc: undefined; reason: string } {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch))
    return { libc: undefined, reason: `not for ${process.platform} on ${process.arch}` }
  try {
    const koffi: Koffi = createRequire(import.meta.url)('koffi')
    return { libc: bindFunctions(koffi) }
  } catch (error) {
    return { libc: undefined, reason: error instanceof Error ? error.message : String(error) }
  }
}

function bindFunctions(koffi: Koffi): Libc {
  const library = koffi.load('libc.so.6')
  const functions = signatures.map((signature) => {
    const name = /(\w+)\(/.exec(signature)?.[1] ?? ''
    return [name, library.func(signature)]
  })
  const rest: Pick<Libc, 'allocate' | 'lastError'> = {
    allocate(length) {
      const pointer = koffi.alloc('uint8_t', length)
      return { memory: koffi.view(pointer, length), address: koffi.address(pointer) }
    },
    lastError: () => new Error(getSystemErrorName(-koffi.errno())),
  }
  return Object.assign(Object.fromEntries(functions), rest)
}
