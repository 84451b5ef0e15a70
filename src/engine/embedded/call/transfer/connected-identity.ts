/**
 * D641: which party each side of a call is connected to, as its phone shows it. After a transfer that is the new party (connected
 * identity, RFC 5876), which may be behind several linked calls.
 */
import type { SideName } from '../../../../media/relay/side.ts'
import type { Leg } from '../../../../sip/dialog/leg.ts'
import type { ExtensionName, Party } from '../../../port.ts'
import type { NewCall } from '../call-deps.ts'
import { peerOf } from '../media/codec-choice.ts'
import { partyAddress } from '../routes.ts'

/** The party behind a link, in the place of a leg. Its identity is undefined if it is not to be known (D268). */
type FarParty = { identity(): Party | undefined; show(party: Party | undefined): void }

type Deps = {
  request: Pick<NewCall, 'aSide' | 'caller' | 'presented' | 'isPrivate'>
  /** The number that the B leg was dialled with. */
  dialled(): string
  partyAt(side: SideName): ExtensionName | undefined
  legOf(side: SideName): Pick<Leg, 'identify'> | undefined
}

export function createConnectedIdentity({ request, dialled, partyAt, legOf }: Deps) {
  const { aSide, caller, presented, isPrivate } = request
  const far = new Map<SideName, FarParty>()

  /** An extension presents its number only to other extensions: outside it is known by its caller-ID. */
  function ownIdentity(side: SideName): Party | undefined {
    if (side !== aSide) return { number: dialled() }
    if (isPrivate) return undefined
    return caller && !partyAt(peerOf(side)) ? { number: caller.number } : presented
  }

  return {
    of(side: SideName): Party | undefined {
      const replaced = far.get(side)
      return replaced ? replaced.identity() : ownIdentity(side)
    },
    /** Not sent to carriers: they would pass the number of an extension on. */
    show(side: SideName, party: Party | undefined) {
      const replaced = far.get(side)
      const extension = partyAt(side)
      if (replaced) replaced.show(party)
      else if (extension) legOf(side)?.identify(partyAddress(party, extension.domain))
    },
    replace(side: SideName, party: FarParty) {
      far.set(side, party)
    },
  }
}
