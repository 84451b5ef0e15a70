/** A way to a destination, and what is known of it. */
import type { Cause } from '../../../contract/causes.ts'
import type { Accepted } from '../../port.ts'
import type { Calling, LegFailure } from '../../sip/dialog/leg.ts'
import type { VoiceCodec } from '../../sip/sdp/codecs.ts'
import type { Callee } from './sip-causes.ts'

export type Way = {
  calling: Omit<Calling, 'offer'>
  callee: Callee
  /** All of ours when it does not say. */
  codecs?: readonly VoiceCodec[]
  mayTryNext(failure: LegFailure): boolean
  /** Gives back what the way was taken from; twice is once. */
  release(): void
}

export type Wanted = Pick<Accepted, 'callId' | 'destination' | 'presented'>

/** In the order to try them; each is taken only when its turn comes, or tells why it cannot be. */
export type FindWays = (wanted: Wanted) => (() => Way | Cause)[]
