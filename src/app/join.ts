/** Joins the fleet: listens to its notices, takes a lease, and starts the jobs and the phones of its roles. */
import { renewSeconds } from '../nodes/lease.ts'
import { untilUp } from '../store/connection/until-up.ts'
import { reportSeconds } from '../store/secrets/key-holder.ts'
import type { Node } from './node.ts'
import type { Opened } from './open.ts'
import { type Job, startJobs } from './process/jobs.ts'

export async function joinFleet({ services, closers }: Opened, node: Node) {
  const { api, worker, voice, lease, keyHolder, clockWatch } = node
  const { store, notices, onError } = services.base
  const { tariff } = services.money
  const { stored: trunks } = services.trunks
  notices.onGap(() => {
    store.revive().catch(onError)
  })
  notices.onSilence(store.replaceSilent)
  await notices.connect()
  await untilUp(tariff.load)
  await untilUp(trunks.load)
  if (api) closers.add(api.stop)
  await untilUp(keyHolder.tick)
  closers.add(keyHolder.release)
  await untilUp(lease.renew)
  closers.add(lease.release)
  await clockWatch.tick()

  const renewMs = renewSeconds * 1000
  const everyProcess: Job[] = [
    { name: 'node lease', everyMs: renewMs, tick: lease.renewRow, onWake: lease.onWake },
    { name: 'clock', everyMs: renewMs, tick: clockWatch.tick },
    { name: 'secret keys', everyMs: reportSeconds * 1000, tick: keyHolder.tick, onWake: keyHolder.onWake },
    { name: 'rates', everyMs: 10_000, tick: tariff.tick },
    { name: 'trunks', everyMs: 10_000, tick: trunks.tick },
  ]
  const proofOfLife: Job[] = voice ? [{ name: 'proof of life', everyMs: renewMs, tick: lease.proveLife }] : []
  const roles = [api, worker, voice].filter((role) => role !== undefined)
  const jobs = startJobs([...everyProcess, ...proofOfLife, ...roles.flatMap((role) => role.jobs)], onError)
  closers.add(jobs.stop)

  if (voice) {
    closers.add(voice.stop)
    await voice.node.start()
    // Its address is known now, also if the system chose the port.
    await untilUp(lease.renewRow)
  }
  return jobs
}
