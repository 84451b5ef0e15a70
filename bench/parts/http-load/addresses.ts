/** Client addresses for X-Forwarded-For. An address is not reused while the rate limiter's window may still count it. */
import type { Job } from './job.ts'

const fixedAddress = '192.0.2.1'
let taken = 0

export function createAddresses(perAddress: Job['perAddress']): () => string {
  if (perAddress === 'one') return () => fixedAddress
  let address = newAddress()
  let uses = 0
  return () => {
    if (uses++ === perAddress) {
      address = newAddress()
      uses = 1
    }
    return address
  }
}

/** 16 million of them, in 10.0.0.0/8. */
function newAddress(): string {
  taken += 1
  return `10.${(taken >> 16) & 255}.${(taken >> 8) & 255}.${taken & 255}`
}
