/**
 * The source of a side's media. SDP names an address, but behind NAT the packets come from another one, and anyone
 * may send to an open port. D174: a source is accepted only at the address of the SDP, at the address that the side
 * signals from, or in a network that the operator trusts for its trunk: exactly as in the SDP at once, from elsewhere once
 * a few consecutive packets form one stream. After that, packets of other sources are dropped.
 *
 *   waiting ──the address and port of the SDP────────────▶ latched
 *      └────three consecutive packets, address allowed───▶ latched
 *
 * A latched source is replaced only by one that matches the SDP better, after a new SDP, or when it has been silent for
 * two seconds: the NAT box of the side may have given it another port.
 */
import { inNetworks } from '../../kit/networks.ts'
import { type RtpHeader, sequenceStep } from '../rtp/rtp.ts'

const requiredPackets = 3
const maxSequenceStep = 3
const silentMs = 2_000
/** A source without a packet for this long has paused. */
const pauseMs = 1_000
/** How long a source flows before it counts as the only one: less if it is exactly the one of the SDP. */
const flowingMs = { exact: 2_000, other: 10_000 }
/** One more unknown source than this, and the oldest is forgotten. */
const maxCandidates = 8

/** `signalsFrom`: the address of the side's SIP messages. `trusted`: networks from which its carrier may send as well. */
export type ExpectedSource = {
  address: string
  port: number
  signalsFrom: string
  trusted?: readonly string[] | undefined
}
export type LatchVerdict = 'accepted' | 'waiting' | 'foreign'

type Source = { address: string; port: number }
type Candidate = Source & { ssrc: number; payloadType: number; sequence: number; consecutive: number }

/** How well a source matches the SDP: not allowed, signalling or trusted address, another port, the same. */
type Match = 0 | 1 | 2 | 3

export function createLatch() {
  let expected: ExpectedSource | undefined
  let source: Source | undefined
  let match: Match = 0
  let acceptedAt = 0
  /** Since when packets of the source have come without a pause. */
  let flowingSince = 0
  let candidates: Candidate[] = []
  let isTrusted = inNetworks([])

  /**
   * True if the expected source has changed. An unchanged SDP keeps the latch: a session refresh must not let
   * another source in.
   */
  function expect(next: ExpectedSource): boolean {
    const same =
      expected?.address === next.address &&
      expected.port === next.port &&
      expected.signalsFrom === next.signalsFrom &&
      String(expected.trusted) === String(next.trusted)
    if (same) return false
    expected = next
    isTrusted = inNetworks(next.trusted ?? [])
    source = undefined
    match = 0
    candidates = []
    return true
  }

  function admit(header: RtpHeader, address: string, port: number, now: number): LatchVerdict {
    if (source && source.port === port && source.address === address) {
      if (flowingSince > now || now - acceptedAt > pauseMs) flowingSince = now
      acceptedAt = now
      return 'accepted'
    }
    const nextMatch = matchOf(address, port)
    const isReplaceable = now - acceptedAt >= silentMs
    if (nextMatch === 0 || (nextMatch <= match && !isReplaceable)) return 'foreign'
    if (nextMatch < 3 && !isStream(header, address, port)) return 'waiting'
    source = { address, port }
    match = nextMatch
    acceptedAt = now
    flowingSince = now
    candidates = []
    return 'accepted'
  }

  function matchOf(address: string, port: number): Match {
    if (!expected) return 0
    if (expected.address !== address) return expected.signalsFrom === address || isTrusted(address) ? 1 : 0
    return expected.port === port ? 3 : 2
  }

  function isStream({ ssrc, payloadType, sequence }: RtpHeader, address: string, port: number): boolean {
    const known = candidates.find((candidate) => candidate.port === port && candidate.address === address)
    if (!known) {
      if (candidates.length === maxCandidates) candidates.shift()
      candidates.push({ address, port, ssrc, payloadType, sequence, consecutive: 1 })
      return false
    }
    const step = sequenceStep(known.sequence, sequence)
    const continues =
      known.ssrc === ssrc && known.payloadType === payloadType && step > 0 && step <= maxSequenceStep
    known.consecutive = continues ? known.consecutive + 1 : 1
    known.ssrc = ssrc
    known.payloadType = payloadType
    known.sequence = sequence
    return known.consecutive >= requiredPackets
  }

  /** The source has proven itself by other means than its address. */
  function prove(address: string, port: number) {
    if (source?.port === port && source.address === address) return
    source = { address, port }
    match = 3
    // Its first packet begins the flow.
    flowingSince = Number.POSITIVE_INFINITY
    candidates = []
  }

  /** D276: the source, if nothing but it is expected now. */
  function flowing(now: number): Source | undefined {
    const neededMs = match === 3 ? flowingMs.exact : flowingMs.other
    const isFlowing = now - acceptedAt <= pauseMs && now - flowingSince >= neededMs
    return isFlowing ? source : undefined
  }

  return {
    expect,
    admit,
    prove,
    flowing,
    /** Where to send to: the latched source, before that the address of the SDP. */
    target: (): Source | undefined => source ?? expected,
    latched: () => source !== undefined,
    /** The address of the target is where the side signals from: it has answered us, so it is no third party. */
    isSignallingAddress: () => expected !== undefined && expected.address === expected.signalsFrom,
    /** True if the latched source has exactly the address and port of the SDP. */
    matchesSdp: () => match === 3,
  }
}
