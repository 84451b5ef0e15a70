/** Raises a load until it is no longer carried, and reports the highest that was. */
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Quantiles } from '../quantiles.ts'

export type Reading = {
  latencies?: Quantiles
  /** Cores in use, by process. */
  cores: Record<string, number>
  /** In MB, by process. */
  memory: Record<string, number>
  /** Cores that programs besides the benchmark used meanwhile, and other machines on the same host. */
  disturbance?: number
  /** Why the load was not carried; undefined if it was. */
  broken?: string | undefined
}

export type Ramp = {
  name: string
  unit: string
  first: number
  highest: number
  /** After this time a load that is carried is enough: nothing is refined any more. */
  enoughMs?: number
  run: (level: number) => Promise<Reading>
}

export type Capacity = {
  name: string
  unit: string
  carried: number
  /** At the highest load that was carried. */
  reading: Reading
  /** The lowest load that was not; undefined if the highest tried was carried. */
  brokenAt?: number
  gaveWay: string
}

/** Bisection steps between the highest load carried and the lowest that was not. */
const halvings = 2
/** Until a load is carried. */
const maxHalvings = 6
const usualMs = 90_000
/** What is left of a load that was too high is worked off. */
const restMs = 1_500
/** A load that is not carried is tried again: a single pause of the disk must not decide. */
const tries = 2
/** Cores. More must not decide either: a host that takes 50 ms from a virtual machine makes every packet late. */
const maxDisturbance = 0.05
const triesIfDisturbed = 4

export async function raise({
  name,
  unit,
  first,
  highest,
  enoughMs = usualMs,
  run,
}: Ramp): Promise<Capacity> {
  const began = performance.now()
  let carried: { level: number; reading: Reading } | undefined
  let broken: { level: number; reading: Reading } | undefined

  async function attempt(level: number) {
    const reading = await runUndisturbed(run, level)
    process.stderr.write(`\n  ${name}, ${level}${unit}: ${reading.broken ?? 'carried'}`)
    if (reading.broken === undefined) carried = { level, reading }
    else broken = { level, reading }
  }

  const isEnough = () => carried !== undefined && performance.now() - began > enoughMs
  for (let level = first; level <= highest && !broken; level *= 2) await attempt(level)
  for (let step = 0; broken && step < (carried ? halvings : maxHalvings) && !isEnough(); step++) {
    const below: number = carried?.level ?? broken.level / 4
    await attempt(Math.max(1, Math.round(Math.sqrt(below * broken.level))))
  }
  process.stderr.write('\n')
  if (!carried) throw new Error(`${name}: not even the lowest load was carried: ${broken?.reading.broken}`)
  return {
    name,
    unit,
    carried: carried.level,
    reading: carried.reading,
    ...(broken && { brokenAt: broken.level }),
    gaveWay: broken ? `${broken.reading.broken}${busiest(broken.reading)}` : 'nothing yet',
  }
}

async function runUndisturbed(run: Ramp['run'], level: number): Promise<Reading> {
  for (let tried = 1; ; tried++) {
    const { disturbance = 0, ...reading } = await run(level).catch(asReading)
    if (reading.broken === undefined) return reading
    await sleep(restMs)
    if (tried >= (disturbance > maxDisturbance ? triesIfDisturbed : tries)) return reading
  }
}

/** A load under which a process fails or does not answer is not carried. */
function asReading(error: Error): Reading {
  return { cores: {}, memory: {}, broken: error.message.split('\n')[0] ?? '' }
}

/** Cores of the machine that were in use, and the process that used most. */
function busiest({ cores }: Reading): string {
  const used = Object.entries(cores).toSorted(([, one], [, other]) => other - one)
  const [most] = used
  if (!most) return ''
  const sum = used.reduce((total, [, share]) => total + share, 0)
  return `; ${sum.toFixed(1)} of ${availableParallelism()} cores in use, ${most[1].toFixed(1)} by ${most[0]}`
}

/** `undefined` if the latencies are good enough. */
export function tooSlow({ p99 }: Pick<Quantiles, 'p99'>, maxMs: number): string | undefined {
  return p99 > maxMs ? `p99 of ${p99.toFixed(0)} ms, above ${maxMs}` : undefined
}

/** Packets of sound that came more than 20 ms late, or not at all, in percent. */
export const maxLate = 0.5

/** `undefined` if few enough packets were late. */
export function tooLate({ late, sentLate }: { late: number; sentLate: number }): string | undefined {
  if (late <= maxLate) return undefined
  return `${late.toFixed(1)} % of the packets were late, ${sentLate.toFixed(1)} % sent late by the load`
}
