/**
 * Where we may connect to (D88). A URL is checked when it is given, but a name leads where its owner likes, and to
 * somewhere else a moment later: what counts is the address the connection is made to.
 */
import { lookup, Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { literalOf } from '../../integrations/public-address.ts'

/** Not to be tried again: the address is none of those we may send to. */
export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress'
}

export type Found = { address: string; family: number }
/** All addresses of a name. */
export type FindAddresses = (hostname: string) => Promise<Found[]>

export function createGuard(isAllowed: (address: string) => boolean, find: FindAddresses) {
  function check(address: string) {
    if (!isAllowed(address)) {
      throw new ForbiddenAddress(`${address} is not an address of the public network`)
    }
  }

  /** Hosts that are addresses already are never looked up. */
  function checkHost(hostname: string) {
    const literal = literalOf(hostname)
    if (literal !== undefined) check(literal)
  }

  async function findChecked(hostname: string): Promise<Found[]> {
    const found = await find(hostname)
    // One bad address among good ones is no accident.
    for (const { address } of found) check(address)
    return found
  }

  /** In place of the lookup of a socket, which connects to what this answers and nothing else. */
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

/** Asks the machine, which knows names of its own too; used where those are allowed. */
const askMachine: FindAddresses = (hostname) => lookup(hostname, { all: true, verbatim: true })

/**
 * Asks the name servers without a thread of its own for each question: there are few threads, and names whose servers
 * never answer would hold them all.
 */
function createAskServers(): FindAddresses {
  const resolver = new Resolver({ timeout: 2_500, tries: 2 })
  const ask = (family: number, question: Promise<string[]>) =>
    question.then(
      (addresses) => addresses.map((address) => ({ address, family })),
      (error: unknown) => error,
    )
  return async (hostname) => {
    const answers = await Promise.all([
      ask(4, resolver.resolve4(hostname)),
      ask(6, resolver.resolve6(hostname)),
    ])
    const found = answers.flatMap((answer) => (Array.isArray(answer) ? answer : []))
    if (found.length === 0) throw answers.find((answer) => answer instanceof Error)
    return found
  }
}

export function chooseFindAddresses(allowPrivate: boolean): FindAddresses {
  return allowPrivate ? askMachine : createAskServers()
}
