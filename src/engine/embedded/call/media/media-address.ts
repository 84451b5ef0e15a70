import { inNetworks, isPrivateAddress } from '../../../../kit/networks.ts'

const isLoopbackAddress = inNetworks(['127.0.0.0/8', '::1'])

/**
 * D175: where sound is sent to, if a side's SDP names this address. An address of this machine or of a private network is
 * taken only from a side that signals from there or from further inside: behind NAT it cannot be reached, and it may be
 * that of a third party. Nor is our own address taken, which would let two calls send each other's sound in circles.
 * Then it is the address that the side signals from.
 */
export function mediaAddress(named: string, signalsFrom: string, ownAddress: string): string {
  const isInner = depth(named) > depth(signalsFrom)
  return isInner || named === ownAddress ? signalsFrom : named
}

function depth(address: string): number {
  if (isLoopbackAddress(address)) return 2
  return isPrivateAddress(address) ? 1 : 0
}
