/** The address at which other machines would reach this one. */
import { networkInterfaces } from 'node:os'

export function machineAddress(): string {
  const found = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)
  if (!found)
    throw new Error('This machine has no IPv4 address but 127.0.0.1, over which Firefox has no sound.')
  return found.address
}
