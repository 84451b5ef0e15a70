/**
 * SSRF protection (D88: public addresses only). A URL is checked when it is stored, but its owner can make the name
 * resolve to any address later: what counts is the address of the connection.
 */
import { lookup, Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { literalOf } from '../../integrations/public-address.ts'

/** Not retried: we may not send to this address. */
export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress'
}

export type FoundAddress = { address: string; family: number }
/** Resolves a name to all its addresses. */
export type FindAddresses = (hostname: string) => Promise<FoundAddress[]>

export function createGuard(isAllowed: (address: string) => boolean, find: FindAddresses) {
  function check(address: string) {
    if (!isAllowed(address)) {
      throw new ForbiddenAddress(`${address} is not an address of the public network`)
    }
  }

  /** Checks a host that is an address, which a socket would not look up. */
  function checkHost(hostname: string) {
    const literal = literalOf(hostname)
    if (literal !== undefined) check(literal)
  }

  async function findChecked(hostname: string): Promise<FoundAddress[]> {
    const found = await find(hostname)
    // One private address among public ones suggests an attack.
    for (const { address } of found) check(address)
    return found
  }

  /** The `lookup` option of a socket, which connects only to the addresses returned here. */
  const lookUp: LookupFunction = (hostname, options, callback) => {
    findChecked(hostname).then(
      (found) => {
        const [first] = found
        if (!first) callback(new Error(`${hostname} has no address`), '', 0)
        else if (options.all) callback(null, found)
        else callback(null, first.address, first.family)
      },
      (error) => callback(error, '', 0),
    )
  }

  return { checkHost, lookUp }
}
export type Guard = ReturnType<typeof createGuard>

/** The resolver of the operating system, which also knows local names; used where private addresses are allowed. */
const resolveBySystem: FindAddresses = (hostname) => lookup(hostname, { all: true, verbatim: true })

/**
 * Asks the name servers directly. The system's resolver blocks a thread of libuv's small pool for each lookup, and names
 * whose servers never answer would block them all.
 */
function createDnsResolver(): FindAddresses {
  const resolver = new Resolver({ timeout: 2_500, tries: 2 })
  const withFamily = (family: number, lookup: Promise<string[]>) =>
    lookup.then(
      (addresses) => addresses.map((address) => ({ address, family })),
      (error: unknown) => error,
    )
  return async (hostname) => {
    const answers = await Promise.all([
      withFamily(4, resolver.resolve4(hostname)),
      withFamily(6, resolver.resolve6(hostname)),
    ])
    const found = answers.flatMap((answer) => (Array.isArray(answer) ? answer : []))
    if (found.length === 0) throw answers.find((answer) => answer instanceof Error)
    return found
  }
}

export function chooseFindAddresses(allowPrivate: boolean): FindAddresses {
  return allowPrivate ? resolveBySystem : createDnsResolver()
}
