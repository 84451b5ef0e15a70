/** Phones and recordings: the newest registration is the one that rings; a recording is there, or reported as lost. */
import { entriesOf, type History, type RegisteredPhone, settledAt } from '../history.ts'
import { createFindings, type Violation } from '../violation.ts'
import { callsById } from './calls.ts'

/** A phone that registered so shortly before a call may not be known everywhere yet. */
const knownAfterMs = 2_000

export function checkRegistrations(history: History): Violation[] {
  const { found, expect } = createFindings('registrations')
  const registered = Map.groupBy(entriesOf(history, 'registered'), nameOf)
  const settled = settledAt(history)
  for (const { at, phone, call, ...extension } of entriesOf(history, 'rang')) {
    // While there are faults a notice may be lost, and a displaced phone may ring once more.
    if (at <= settled) continue
    const newest = newestAt(registered.get(nameOf(extension)) ?? [], at - knownAfterMs)
    const isNewer = (registered.get(nameOf(extension)) ?? []).some(
      (one) => one.phone === phone && one.at > at - knownAfterMs,
    )
    expect(
      newest === undefined || newest === phone || isNewer,
      () => `call ${call} rang at ${phone}, though ${newest} registered last for ${nameOf(extension)}`,
    )
  }
  for (const { account, extensions } of entriesOf(history, 'final'))
    for (const { number, isRegistered } of extensions) {
      const name = nameOf({ account, extension: number })
      expect(isRegistered || !registered.has(name), () => `${name} has a phone that the API does not know`)
    }
  for (const text of unreachable(history, settled)) expect(false, () => text)
  return found
}

/** When the faults are over, a phone that is registered can be called. */
function unreachable(history: History, settled: number): string[] {
  const unknown = new Set(['EXTENSION_NOT_REGISTERED', 'EXTENSION_UNKNOWN'])
  const [final] = entriesOf(history, 'final')
  const isProbe = (at: number) => final !== undefined && at > settled
  return entriesOf(history, 'place')
    .filter(({ at, code }) => isProbe(at) && unknown.has(code ?? ''))
    .map(({ account, extension, code }) => `extension ${extension} of ${account} cannot be called: ${code}`)
}

const nameOf = ({ account, extension }: { account: string; extension: string }) => `${extension}@${account}`

function newestAt(phones: readonly RegisteredPhone[], at: number): string | undefined {
  return phones.findLast((one) => one.at <= at)?.phone
}

const wavHeaderBytes = 44

/** Whatever was recorded can be fetched whole, or is reported as lost. */
export function checkRecordings(history: History): Violation[] {
  const { found, expect } = createFindings('recordings')
  const calls = callsById(history)
  const finals = entriesOf(history, 'final')
  const fetched = new Map(finals.flatMap(({ recordings }) => Object.entries(recordings)))
  const subjectsOf = (wanted: string) =>
    new Set(finals.flatMap(({ feed }) => feed.flatMap((one) => (one.type === wanted ? [one.subject] : []))))
  const lost = subjectsOf('recording-lost')
  const ready = subjectsOf('recording-ready')
  for (const { call: id, isRecorded, answeredAt, endedAt } of entriesOf(history, 'talk')) {
    const call = calls.get(id)
    if (!isRecorded || !call || call.answeredAt === null) continue
    if (lost.has(id) || call.isRecordingLost) continue
    // A talk that ended as it began has no sound: the recording that a process left behind of it is discarded.
    if (endedAt === answeredAt && !call.hasRecording) continue
    expect(call.hasRecording, () => `call ${id} was recorded, and shows no recording`)
    const leastBytes = endedAt > answeredAt ? wavHeaderBytes + 1 : wavHeaderBytes
    expect((fetched.get(id) ?? 0) >= leastBytes, () => `the recording of call ${id} cannot be fetched`)
  }
  for (const { id, hasRecording } of calls.values())
    expect(
      !hasRecording || ready.has(id),
      () => `the recording of call ${id} can be fetched, and no event says so`,
    )
  return found
}

/** A minute after the faults every process is ready again. */
export function checkSettled(history: History): Violation[] {
  const { found, expect } = createFindings('settled')
  const ready = entriesOf(history, 'ready')
  for (const { process, status, problems } of ready)
    expect(status === 200, () => `${process} is not ready: ${problems.join(', ')}`)
  expect(entriesOf(history, 'final').length > 0, () => 'the run did not come to its end')
  return found
}
