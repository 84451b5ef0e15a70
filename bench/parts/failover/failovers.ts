/**
 * Calls are placed continuously while the primary PostgreSQL is killed and its replica promoted, again and again. In the end
 * the invariants of the crash matrix must hold: with a synchronous replica for every call that was accepted.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startCheckingReceiver } from '../crash/checking-receiver.ts'
import { createFleet } from '../crash/fleet.ts'
import { findViolations } from '../crash/invariants.ts'
import { openAccount, waitFor } from '../crash/matrix.ts'
import { createSeededRandom } from '../crash/seeded-random.ts'
import { startTraffic } from '../crash/traffic.ts'
import type { PostgresPair } from './pair.ts'
import { createTalks } from './talks.ts'

const phones = 2
const processes = 3
/** Rules that an asynchronous replica cannot keep: its primary had confirmed, and sent, more than the replica knew. */
const lostWithPrimary = [
  'not true: everything received is a recorded delivery',
  'not true: every delivery is signed, and has the same body when it is repeated',
  'not true: every accepted call is stored',
]
/** Calls accepted between two failovers. */
const callsBetween = 60
const longestWaitMs = 500

type Options = {
  times: number
  startPair: (options: { synchronous: boolean }) => Promise<PostgresPair>
  synchronous: boolean
  seed: number
  note?: (line: string) => void
}

export async function runFailovers(options: Options) {
  const { times, startPair, synchronous, seed, note = () => {} } = options
  const random = createSeededRandom(seed)
  const folder = await mkdtemp(join(tmpdir(), 'ramal-failover-'))
  const pair = await startPair({ synchronous })
  const receiver = await startCheckingReceiver()
  const secretKey = randomBytes(32).toString('hex')
  const fleet = createFleet({ databaseUrl: pair.url, folder, size: processes, secretKey })
  const awayMs: number[] = []
  try {
    await fleet.untilFull()
    const token = await openAccount(fleet, receiver, phones)
    const talks = createTalks({ fleet, token, pair })
    const traffic = startTraffic({ fleet, token, random })
    for (let turn = 1; turn <= times; turn += 1) {
      await traffic.placeUntil(traffic.accepted.length + callsBetween)
      await talks.place()
      await sleep(random.next() * longestWaitMs)
      const began = performance.now()
      await pair.failOver()
      const before = traffic.accepted.length
      await waitFor(() => traffic.accepted.length > before || traffic.faults.length > 0)
      awayMs.push(Math.round(performance.now() - began))
      await pair.addReplica()
      note(
        `failover ${turn} of ${times}: ${traffic.accepted.length} calls, accepted again after ${awayMs.at(-1)} ms`,
      )
    }
    await traffic.placeUntil(traffic.accepted.length + callsBetween)
    await traffic.stop()
    const talked = await talks.hangUp()
    const left = async (rows: string) =>
      Number((await pair.query(`select count(*) from ${rows}`)).rows[0]?.count)
    await waitFor(async () => (await left('calls where ended_at is null')) === 0)
    await waitFor(async () => (await left("deliveries where state = 'pending'")) === 0)
    const stored = new Set((await pair.query('select id from calls')).rows.map(({ id }) => String(id)))
    const lost = traffic.accepted.filter((id) => !stored.has(id))
    const found = await findViolations(pair, receiver, traffic.accepted)
    const isExpected = (one: string) => !synchronous && lostWithPrimary.some((rule) => one.startsWith(rule))
    return {
      violations: [
        ...found.filter((one) => !isExpected(one)),
        ...traffic.faults,
        ...talks.faults,
        ...fleet.unexpectedExits,
        ...((await fleet.first()?.ask('verifyMoney')) ?? ['no process is running']),
      ],
      accepted: traffic.accepted.length,
      ...talked,
      lost: lost.length,
      lostWithPrimary: found.filter(isExpected),
      unanswered: traffic.lost(),
      refused: traffic.refused(),
      repeated: receiver.repeated.length,
      awayMs,
    }
  } finally {
    await fleet.close()
    await receiver.stop()
    await pair.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
