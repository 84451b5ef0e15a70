/**
 * WebRTC: 100 recorded calls at once, each with one browser (ICE, DTLS, SRTP) and one plain side, against 100 plain
 * recorded calls; packets that are late; and 50 DTLS handshakes a second while calls talk. The media runs as in the
 * service, without SIP.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Ask, askChild } from './parts/ask.ts'
import { likeTheService, type Place, startNode, stopChild } from './parts/children.ts'
import { cpuSeconds } from './parts/process-figures.ts'
import { inFolder } from './parts/service.ts'
import { alone, type Result } from './parts/table.ts'
import type { LoadWork } from './parts/webrtc/load-process.ts'
import type { MediaWork } from './parts/webrtc/media-process.ts'

const rounds = 3
const seconds = 10
const many = 100
const handshakesPerSecond = 50
const handshakes = 250

type Kind = 'webrtc' | 'plain'
type Measured = { cpu: number; late: number; sentLate: number }
type Bench = { media: Ask<MediaWork>; load: Ask<LoadWork>; pid: number }

export function webrtc(): Promise<Result[]> {
  return withMedia(async (bench) => {
    const plain: Measured[] = []
    const secure: Measured[] = []
    for (let round = 0; round < rounds; round += 1) {
      plain.push(await talk(bench, 'plain'))
      secure.push(await talk(bench, 'webrtc'))
    }
    const shaken = await shakeHands(bench)
    const perCall = plain.map(({ cpu }) => cpu)
    // A call has two sides: what is left of a call with a browser is the browser's.
    const perLeg = secure.map(({ cpu }, round) => cpu - (perCall[round] ?? 0) / 2)
    return [
      alone('webrtc, CPU per recorded plain call', perCall, '%', { atMost: 0.25 }),
      alone('webrtc, CPU per recorded WebRTC leg', perLeg, '%', { atMost: 0.5 }),
      alone(
        `webrtc, ${many} at once, packets late`,
        secure.map(({ late }) => late),
        '%',
        { below: 0.5 },
      ),
      alone(
        `webrtc, ${many} at once, sent late by the load`,
        secure.map(({ sentLate }) => sentLate),
        '%',
      ),
      alone(`webrtc, packets late with ${handshakesPerSecond} handshakes/s`, [shaken.late], '%', {
        below: 0.5,
      }),
      alone('webrtc, slowest handshake', [shaken.slowestMs], 'ms'),
    ]
  })
}

async function talk(bench: Bench, kind: Kind): Promise<Measured> {
  await begin(bench, { kind, count: many, talk: true, perSecond: 100 })
  await sleep(1_000)
  const measured = await measure(bench, () => sleep(seconds * 1000))
  const recorded = await end(bench)
  const whole = recorded.filter((length) => length >= seconds)
  if (whole.length !== many) throw new Error(`only ${whole.length} of ${many} calls were recorded`)
  return measured
}

/** While calls with half as many browsers talk. */
async function shakeHands(bench: Bench) {
  await begin(bench, { kind: 'webrtc', count: many / 2, talk: true, perSecond: 100 })
  const more = await open(bench, 'webrtc', handshakes)
  let slowestMs = 0
  const { late } = await measure(bench, async () => {
    const options = { kind: 'webrtc' as const, calls: more, perSecond: handshakesPerSecond, talk: false }
    slowestMs = (await bench.load('begin', options)).slowestMs
  })
  await end(bench)
  return { late, slowestMs }
}

/** CPU in percent of one core for a call; late packets in percent of those that were sent. */
async function measure({ load, pid }: Bench, during: () => Promise<void>): Promise<Measured> {
  await load('counts')
  const before = cpuSeconds(pid)
  await during()
  const used = cpuSeconds(pid) - before
  const { sent, sentLate, received, late } = await load('counts')
  if (received < sent * 0.9)
    throw new Error(`of ${sent} packets only ${received} came through: the machine is too busy`)
  return {
    // A second of a call is a hundred packets.
    cpu: (used / (received / 100)) * 100,
    late: (late / sent) * 100,
    sentLate: (sentLate / sent) * 100,
  }
}

async function open({ media, load }: Bench, kind: Kind, count: number) {
  const ports = await load('prepare', { count })
  return await media('open', { kind, ports, ...(await load('fingerprint')) })
}

type Begin = { kind: Kind; count: number; talk: boolean; perSecond: number }

async function begin(bench: Bench, { kind, count, talk, perSecond }: Begin) {
  const calls = await open(bench, kind, count)
  await bench.load('begin', { kind, calls, perSecond, talk })
}

async function end({ media, load }: Bench): Promise<number[]> {
  await load('end')
  return await media('closeAll')
}

function withMedia<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    const measured = await start('./parts/webrtc/media-process.ts', 'anywhere', [folder])
    const generator = await start('./parts/webrtc/load-process.ts', 'anywhere', [])
    try {
      return await work({
        media: askChild<MediaWork>(measured),
        load: askChild<LoadWork>(generator),
        pid: measured.pid ?? 0,
      })
    } finally {
      await stopChild(generator)
      await stopChild(measured)
    }
  })
}

async function start(program: string, place: Place, args: string[]) {
  const child = startNode({
    args: [...likeTheService.flags, fileURLToPath(new URL(program, import.meta.url)), ...args],
    env: likeTheService.env,
    place,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return child
}
