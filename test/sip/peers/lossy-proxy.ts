/** A bad network: a UDP proxy that loses, doubles and reorders what passes, reproducibly for one seed. */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'

type Fate = 'passes' | 'lost' | 'doubled' | 'late'
type Way = 'there' | 'back'
type Oracle = (datagram: Buffer, direction: Way) => Fate

/** In parts of one. */
type Weather = { loss?: number; duplication?: number; reordering?: number; seed?: number }

type Options = {
  /** The port of the party behind it. */
  target: number
  /** Chance by default; or a function, to lose one message and no other. */
  fate?: Oracle
}

/** What is late waits for the next one to overtake it, or this long, in ms. */
const longestWait = 30
const mostClients = 1000

export async function startLossyProxy({ target, fate = chance({}) }: Options) {
  const front = await listen()
  const backs = new Map<string, Promise<Socket>>()
  const counts: Record<Fate, number> = { passes: 0, lost: 0, doubled: 0, late: 0 }
  const waiting = new Map<string, { send: () => void; timer: NodeJS.Timeout }>()

  function release(route: string) {
    const held = waiting.get(route)
    if (!held) return
    clearTimeout(held.timer)
    waiting.delete(route)
    held.send()
  }

  function pass(datagram: Buffer, direction: Way, client: string, send: () => void) {
    const route = `${direction} ${client}`
    const fated = fate(datagram, direction)
    counts[fated] += 1
    if (fated === 'lost') return
    if (fated === 'late' && !waiting.has(route)) {
      waiting.set(route, { send, timer: setTimeout(() => release(route), longestWait) })
      return
    }
    send()
    if (fated === 'doubled') send()
    release(route)
  }

  /** Behind the proxy each client has an address of its own, as behind a NAT. */
  async function openBack(client: string, { port, address }: RemoteInfo): Promise<Socket> {
    const back = await listen()
    back.on('message', (datagram) =>
      pass(datagram, 'back', client, () => front.send(datagram, port, address)),
    )
    return back
  }

  async function forward(datagram: Buffer, client: string, from: RemoteInfo) {
    const opening = backs.get(client) ?? openBack(client, from)
    backs.set(client, opening)
    const back = await opening
    pass(datagram, 'there', client, () => back.send(datagram, target, '127.0.0.1'))
  }

  front.on('message', (datagram, from) => {
    const client = `${from.address} ${from.port}`
    if (backs.has(client) || backs.size < mostClients) void forward(datagram, client, from)
    else counts.lost += 1
  })

  return {
    port: front.address().port,
    counts,
    async stop() {
      for (const { timer } of waiting.values()) clearTimeout(timer)
      for (const socket of [front, ...(await Promise.all(backs.values()))]) {
        socket.close()
        await once(socket, 'close')
      }
    },
  }
}

/** The weather, thrown with dice that always fall the same. */
export function chance({ loss = 0, duplication = 0, reordering = 0, seed = 1 }: Weather): Oracle {
  const throwDice = createDice(seed)
  return () => {
    const thrown = throwDice()
    if (thrown < loss) return 'lost'
    if (thrown < loss + duplication) return 'doubled'
    return thrown < loss + duplication + reordering ? 'late' : 'passes'
  }
}

/**
 * Loses the first copy of a part of the messages, and no repeated one: what is repeated once surely arrives. Answers to INVITE
 * are never lost: SIPp does not repeat its 200 once the INVITE has come again.
 */
export function losingFirstCopies(loss: number, seed = 1): Oracle {
  const throwDice = createDice(seed)
  const seen = new Set<string>()
  return (datagram, direction) => {
    const text = datagram.toString('latin1')
    const message = `${direction} ${text}`
    const answersInvite = text.startsWith('SIP/2.0') && /^CSeq: \d+ INVITE/m.test(text)
    if (seen.has(message) || answersInvite) return 'passes'
    seen.add(message)
    return throwDice() < loss ? 'lost' : 'passes'
  }
}

/** Loses the first so many messages that fit, such as every first ACK. */
export function losing(count: number, fits: (text: string, direction: Way) => boolean): Oracle {
  let left = count
  return (datagram, direction) => {
    if (left === 0 || !fits(datagram.toString('latin1'), direction)) return 'passes'
    left -= 1
    return 'lost'
  }
}

/** From 0 to 1: a linear congruence of 32 bits, its better half. */
function createDice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) / 2 ** 24
  }
}

async function listen(): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}
