/**
 * D250: the channels and calls per second of a trunk are limits of all voice nodes together. Each node has a share, agreed
 * in the database once a second, apart from calls: placing one costs no statement more. A node that is alone has all of it
 * and asks nobody.
 */
import type { TrunkShare, VoiceEngine } from '../../engine/port.ts'
import type { Timers } from '../../kit/timers.ts'
import type { Database } from '../../store/database.ts'
import { type Reported, shareOf } from './trunk-share.ts'
import {
  deleteShares,
  lockShares,
  readOtherShares,
  type ShareRow,
  writeShares,
} from './trunk-shares-store.ts'

export const shareSeconds = 1

type Deps = {
  db: Database
  timers: Timers
  node: string
  engine: Pick<VoiceEngine, 'trunks' | 'limitTrunks'>
  /** Other living nodes with the voice role. */
  otherVoiceNodes: () => number
}

type OtherShare = Awaited<ReturnType<typeof readOtherShares>>[number]

export function createTrunkShares({ db, timers, node, engine, otherVoiceNodes }: Deps) {
  let isSharing = false
  /** By trunk: how many calls had begun at the last tick. */
  let lastBegun = new Map<string, number>()
  let lastAt = timers.now()

  async function tick() {
    if (otherVoiceNodes() > 0) return await share()
    if (!isSharing) return
    // Delete our row before the limit is lifted: a node that joins assumes that one without rows uses the whole trunk.
    await deleteShares(db, node)
    isSharing = false
    engine.limitTrunks(undefined)
  }

  async function share() {
    isSharing = true
    const rows = await db.transaction().execute(async (tx) => {
      await lockShares(tx)
      const others = await readOtherShares(tx, node)
      const own = countOwn().map((load) => ownShare(load, others))
      const takesPart = { trunk: '', channelsUsed: 0, channels: 0, rateUsed: 0, rate: 0 }
      await writeShares(tx, node, [takesPart, ...own])
      return own
    })
    const shares = rows.map(({ trunk, channels, rate }): [string, TrunkShare] => [
      trunk,
      { channels, callsPerSecond: rate },
    ])
    engine.limitTrunks(new Map(shares))
  }

  /** The trunks with the rate at which calls began since the last time. */
  function countOwn() {
    const trunks = engine.trunks()
    const seconds = Math.max(0.1, (timers.now() - lastAt) / 1000)
    const counted = trunks.map((trunk) => ({
      ...trunk,
      rateUsed: Math.min(
        trunk.callsPerSecond,
        (trunk.begun - (lastBegun.get(trunk.name) ?? trunk.begun)) / seconds,
      ),
    }))
    lastBegun = new Map(trunks.map(({ name, begun }) => [name, begun]))
    lastAt = timers.now()
    return counted
  }

  return { tick }
}

type Load = ReturnType<VoiceEngine['trunks']>[number] & { rateUsed: number }

function ownShare({ name, channels, callsPerSecond, used, rateUsed }: Load, others: OtherShare[]): ShareRow {
  const users = usersOf(name, others)
  const ofChannels = users.map((row): Reported => row && { used: row.channelsUsed, granted: row.channels })
  const ofRate = users.map((row): Reported => row && { used: row.rateUsed, granted: row.rate })
  return {
    trunk: name,
    channelsUsed: used,
    // Calls that are there are not ended.
    channels: Math.max(used, Math.floor(shareOf(channels, used, ofChannels))),
    rateUsed,
    rate: shareOf(callsPerSecond, rateUsed, ofRate),
  }
}

/** What the nodes that use the trunk, or may, have reported. */
function usersOf(trunk: string, others: OtherShare[]): (ShareRow | undefined)[] {
  return others.flatMap((row) => {
    if (row.trunk === null) return [undefined]
    return row.trunk === trunk ? [row] : []
  })
}
