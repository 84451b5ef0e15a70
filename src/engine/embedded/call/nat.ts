import { isPrivateAddress } from '../../../kit/networks.ts'

/** A phone whose SDP names a private address, but which signals from another one: its media address is unknown. */
export function isBehindNat(named: string, signalsFrom: string): boolean {
  return named !== signalsFrom && isPrivateAddress(named)
}
