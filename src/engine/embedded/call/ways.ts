/** The ways to a destination: the phone of an extension, or one trunk after the other. */
import type { Cause } from '../../../contract/causes.ts'
import { shouldTryNext } from '../trunks/failover.ts'
import type { Candidate, Trunks } from '../trunks/trunks.ts'
import type { Phones } from './phones.ts'
import type { FindWays, Wanted, Way } from './way.ts'

export function createWays({ phones, trunks }: { phones: Phones; trunks: Pick<Trunks, 'choose'> }): FindWays {
  return (wanted) => {
    const { destination } = wanted
    if ('extension' in destination) return [() => phones.way(destination.extension, wanted)]
    return trunks
      .choose(destination.number)
      .map((candidate) => () => takeTrunk(candidate, destination.number, wanted))
  }
}

function takeTrunk(candidate: Candidate, number: string, { callId, presented }: Wanted): Way | Cause {
  const giveBack = candidate.take()
  if (!giveBack) return 'NORMAL_CIRCUIT_CONGESTION'
  const { headers, ...dialling } = candidate.dialling(number, presented)
  return {
    calling: { ...dialling, target: candidate.target, headers: [...headers, ['X-Call-Id', callId]] },
    callee: 'carrier',
    codecs: candidate.trunk.codecs,
    mayTryNext: shouldTryNext,
    release: giveBack,
  }
}
