import { isPrivateAddress } from '../../../kit/networks.ts'

/** A phone that names a private address and signals from another one: its packets will come from neither. */
export function isBehindNat(named: string, signalsFrom: string): boolean {
  return named !== signalsFrom && isPrivateAddress(named)
}
