/**
 * WebRTC: 100 recorded calls at once, each with one browser (ICE, DTLS, SRTP) and one plain side, against 100 plain
 * recorded calls; 200 of all kinds at once; packets that are late; 50 DTLS handshakes a second while calls talk; and
 * what 10,000 handshakes leave in memory. The media runs as in the service, without SIP.
 */
import { median } from './parts/rounds.ts'
import { alone, type Result } from './parts/table.ts'
import {
  begin,
  end,
  type Measured,
  type MediaBench,
  measure,
  open,
  talk,
  talkBare,
  withMedia,
} from './parts/webrtc/media-bench.ts'

const rounds = 3
const seconds = 10
const many = 100
const allKinds = { plain: 100, srtp: 50, webrtc: 50 }
const handshakesPerSecond = 50
const handshakes = 250
/** In batches of `handshakes`. The first ones fill caches and heaps. */
const manyHandshakes = 10_000
const warmUpHandshakes = 2_000

export function webrtc(): Promise<Result[]> {
  return withMedia('dgram', async (bench) => {
    const bare: Measured[] = []
    const plain: Measured[] = []
    const secure: Measured[] = []
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await talkBare(bench, { count: many, seconds }))
      plain.push(await talk(bench, { calls: { plain: many }, seconds }))
      secure.push(await talk(bench, { calls: { webrtc: many }, seconds }))
    }
    const mixed: Measured[] = []
    for (let round = 0; round < rounds; round += 1)
      mixed.push(await talk(bench, { calls: allKinds, seconds }))
    const shaken = await shakeHands(bench)
    const grownMb = await shakeManyHands(bench)
    const perCall = plain.map(({ cpu }) => cpu)
    // A call has two sides: what is left of a call with a browser is the browser's.
    const perLeg = secure.map(({ cpu }, round) => cpu - (perCall[round] ?? 0) / 2)
    return [
      alone('webrtc, CPU per recorded plain call', perCall, '%', { atMost: 0.25 }),
      alone('webrtc, CPU per recorded WebRTC leg', perLeg, '%', { atMost: 0.5 }),
      {
        name: 'webrtc, CPU per recorded plain call, against a bare relay',
        measured: `${median(perCall).toFixed(2)} %`,
        baseline: `${median(bare.map(({ cpu }) => cpu)).toFixed(2)} % (node:dgram)`,
        values: perCall.map((cpu, round) => cpu / (bare[round]?.cpu ?? Number.NaN)),
        better: 'less',
      },
      alone(
        `webrtc, ${many} at once, packets late in a bare relay`,
        bare.map(({ late }) => late),
        '%',
      ),
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
      // By the host of a virtual machine: meanwhile no packet is relayed.
      alone(
        `webrtc, ${many} at once, of a core taken by other machines`,
        secure.map(({ stolen }) => stolen * 100),
        '%',
      ),
      alone(
        'webrtc, 200 of all kinds at once, packets late',
        mixed.map(({ late }) => late),
        '%',
        { below: 0.5 },
      ),
      alone(`webrtc, packets late with ${handshakesPerSecond} handshakes/s`, [shaken.late], '%', {
        below: 0.5,
      }),
      alone('webrtc, slowest handshake', [shaken.slowestMs], 'ms'),
      alone(`webrtc, memory more after ${manyHandshakes} handshakes`, [grownMb], 'MB', { below: 20 }),
    ]
  })
}

/** While calls with half as many browsers talk. */
async function shakeHands(bench: MediaBench) {
  await begin(bench, { kind: 'webrtc', count: many / 2, talk: true, perSecond: 100 })
  const more = await open(bench, 'webrtc', handshakes)
  let slowestMs = 0
  const { late } = await measure(bench, async () => {
    const options = { calls: more, perSecond: handshakesPerSecond, talk: false }
    slowestMs = (await bench.load('begin', options)).slowestMs
  })
  await end(bench)
  return { late, slowestMs }
}

/** By how much the process grew, after it had seen some; each call is over once it has its keys. */
async function shakeManyHands(bench: MediaBench): Promise<number> {
  let before = 0
  for (let done = 0; done < warmUpHandshakes + manyHandshakes; done += handshakes) {
    if (done === warmUpHandshakes) before = await bench.media('memory')
    await begin(bench, { kind: 'webrtc', count: handshakes, talk: false, perSecond: 200 })
    await end(bench)
  }
  return (await bench.media('memory')) - before
}
