/**
 * Where a side's media comes from. SDP tells an address; behind NAT the packets come from another, and anyone
 * may send to an open port. So a source is believed when it is the one SDP told, or when a few of its packets
 * in a row make one stream; from then on nobody else is heard.
 *
 *   waiting ──SDP's own address and port──────────────▶ latched
 *      └────three in a row, from a source allowed─────▶ latched
 *
 * A latched source gives way only to one nearer to what SDP told, or to a new SDP.
 */
import { type RtpHeader, sequenceStep } from '../rtp/rtp.ts'

const packetsInARow = 3
const largestStep = 3
/** More strays than this at once and the oldest is forgotten. */
const mostCandidates = 8

export type Expected = { address: string; port: number; behindNat: boolean }
export type Verdict = 'taken' | 'waiting' | 'foreign'

type Source = { address: string; port: number }
type Candidate = Source & { ssrc: number; payload: number; sequence: number; row: number }
type Nearness = 0 | 1 | 2 | 3

export function createLatch() {
  let expected: Expected | undefined
  let source: Source | undefined
  let near: Nearness = 0
  let candidates: Candidate[] = []

  /**
   * The same SDP again leaves the latch as it is: a session refresh must not open the door. True when it is
   * another.
   */
  function expect(wanted: Expected): boolean {
    const same =
      expected?.address === wanted.address &&
      expected.port === wanted.port &&
      expected.behindNat === wanted.behindNat
    if (same) return false
    expected = wanted
    source = undefined
    near = 0
    candidates = []
    return true
  }

  function admit(header: RtpHeader, address: string, port: number): Verdict {
    if (source && source.port === port && source.address === address) return 'taken'
    const nearness = nearnessOf(address, port)
    if (nearness === 0 || nearness <= near) return 'foreign'
    if (nearness < 3 && !makesRow(header, address, port)) return 'waiting'
    source = { address, port }
    near = nearness
    candidates = []
    return 'taken'
  }

  function nearnessOf(address: string, port: number): Nearness {
    if (!expected) return 0
    if (expected.address !== address) return expected.behindNat ? 1 : 0
    return expected.port === port ? 3 : 2
  }

  function makesRow({ ssrc, payload, sequence }: RtpHeader, address: string, port: number): boolean {
    const known = candidates.find((one) => one.port === port && one.address === address)
    if (!known) {
      if (candidates.length === mostCandidates) candidates.shift()
      candidates.push({ address, port, ssrc, payload, sequence, row: 1 })
      return false
    }
    const step = sequenceStep(known.sequence, sequence)
    const continues = known.ssrc === ssrc && known.payload === payload && step > 0 && step <= largestStep
    known.row = continues ? known.row + 1 : 1
    known.ssrc = ssrc
    known.payload = payload
    known.sequence = sequence
    return known.row >= packetsInARow
  }

  return {
    expect,
    admit,
    /** Where to send: to whom we hear, until then to whom SDP told. */
    target: (): Source | undefined => source ?? expected,
    latched: () => source !== undefined,
    /** From the very address and port SDP told. */
    exact: () => near === 3,
  }
}
