/**
 * D470: bodies that are still arriving. Their requests hold no place among those in progress (D228), and each has a few
 * seconds. When together they could become too large, the oldest of the account or address that has the most is refused:
 * unfinished bodies, however many, keep out nobody but their sender.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../../contract/errors.ts'
import type { Timer, Timers } from '../../../kit/timers.ts'
import { maxBodyBytes } from './content-encoding.ts'

/** Together; of each what it may become. */
const maxBytes = 64 * 1_048_576
/** Cost of the connection of a small body. */
const minBytes = 65_536
const minMs = 5_000
/** Slower than any phone network of today. */
const bytesPerSecond = 65_536
const checkMs = 1_000
const retryAfter = 1

type Key = string | number
type Arriving = {
  request: FastifyRequest
  reply: FastifyReply
  key: Key
  bytes: number
  dueAt: number
}

type Deps = {
  timers: Timers
  answerError: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void
}

export function createArrivingBodies({ timers, answerError }: Deps) {
  /** The oldest first. */
  const bodies = new Set<Arriving>()
  const bytesOf = new Map<Key, number>()
  let total = 0
  let check: Timer | undefined

  function add(body: Arriving) {
    bodies.add(body)
    bytesOf.set(body.key, (bytesOf.get(body.key) ?? 0) + body.bytes)
    total += body.bytes
  }

  function remove(body: Arriving) {
    if (!bodies.delete(body)) return
    const left = (bytesOf.get(body.key) ?? 0) - body.bytes
    if (left > 0) bytesOf.set(body.key, left)
    else bytesOf.delete(body.key)
    total -= body.bytes
  }

  /** The rest of the body would follow on the connection, so it is closed. */
  function cut(body: Arriving, error: Error) {
    remove(body)
    const { request, reply } = body
    if (!reply.sent) answerError(error, request, reply.header('connection', 'close'))
  }

  function cutOldestOfLargest() {
    let largest = 0
    for (const bytes of bytesOf.values()) largest = Math.max(largest, bytes)
    for (const body of bodies) {
      if (bytesOf.get(body.key) !== largest) continue
      return cut(body, refuse('SERVICE_UNAVAILABLE', { retryAfter }))
    }
  }

  function cutLate() {
    check = undefined
    const now = timers.now()
    for (const body of bodies) if (body.dueAt <= now) cut(body, refuse('MALFORMED_REQUEST'))
    checkLater()
  }

  function checkLater() {
    if (bodies.size > 0) check ??= timers.after(checkMs, cutLate)
  }

  return {
    /** Before the body is read. Returns what to call when it is there. */
    expect(request: FastifyRequest, reply: FastifyReply, key: Key): () => void {
      const bytes = mayBecome(request)
      const body = {
        request,
        reply,
        key,
        bytes,
        dueAt: timers.now() + minMs + (bytes * 1000) / bytesPerSecond,
      }
      add(body)
      while (total > maxBytes) cutOldestOfLargest()
      checkLater()
      const done = () => remove(body)
      reply.raw.on('close', done)
      return done
    },
    stop: () => check?.cancel(),
  }
}

export function hasBody({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Without a length, the largest size is assumed. */
function mayBecome({ headers }: FastifyRequest): number {
  const length = Number(headers['content-length'] ?? maxBodyBytes)
  return Math.min(Math.max(length, minBytes), maxBodyBytes)
}
