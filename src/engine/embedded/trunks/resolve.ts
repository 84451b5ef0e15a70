/** The addresses of a carrier (RFC 3263): a name with a port by its A or AAAA records, a bare name by SRV first. */
import { lookup, resolveSrv } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Peer } from '../../../sip/transport/flow.ts'
import type { Trunk } from './trunk.ts'

export type Srv = { priority: number; weight: number; name: string; port: number }

export type Dns = {
  /** Empty without such a record. */
  srv(name: string): Promise<Srv[]>
  addresses(name: string): Promise<string[]>
}

/** In the order to try them; empty if the name does not exist. */
export type Resolve = (trunk: Pick<Trunk, 'address' | 'transport'>) => Promise<Peer[]>

/** Further addresses are ignored. */
const maxPeers = 4

const services = { udp: '_sip._udp', tcp: '_sip._tcp', tls: '_sips._tcp' }

type Settings = {
  dns?: Dns
  /** The address family of our socket. */
  family?: 4 | 6
  random?: () => number
}

export function createResolve({ dns = systemDns, family, random = Math.random }: Settings = {}): Resolve {
  const usable = (address: string) =>
    isIP(address) !== 0 && (family === undefined || isIP(address) === family)

  async function peersAt(host: string, port: number): Promise<Peer[]> {
    const addresses = isIP(host) ? [host] : await dns.addresses(host)
    return addresses.filter(usable).map((address) => ({ address, port }))
  }

  return async ({ address: { host, port }, transport }) => {
    if (isIP(host) || port !== undefined) {
      return (await peersAt(host, port ?? defaultPort(transport))).slice(0, maxPeers)
    }
    const found: Peer[] = []
    for (const record of orderSrv(await dns.srv(`${services[transport]}.${host}`), random)) {
      if (found.length >= maxPeers) break
      found.push(...(await peersAt(record.name, record.port)))
    }
    return (found.length > 0 ? found : await peersAt(host, defaultPort(transport))).slice(0, maxPeers)
  }
}

const defaultPort = (transport: Trunk['transport']) => (transport === 'tls' ? 5061 : 5060)

/** RFC 2782: by priority, and within one by random choice, weighted. */
export function orderSrv(records: readonly Srv[], random: () => number): Srv[] {
  const left = records.filter(({ name }) => name !== '' && name !== '.')
  const ordered: Srv[] = []
  while (left.length > 0) {
    const first = Math.min(...left.map(({ priority }) => priority))
    const drawn = draw(
      left.filter(({ priority }) => priority === first),
      random,
    )
    ordered.push(drawn)
    left.splice(left.indexOf(drawn), 1)
  }
  return ordered
}

function draw(records: Srv[], random: () => number): Srv {
  // RFC 2782: a weight of 0 is a small chance, not none.
  const tickets = records.map(({ weight }) => weight || 0.1)
  let lot = random() * tickets.reduce((sum, ticket) => sum + ticket, 0)
  const at = tickets.findIndex((ticket) => {
    lot -= ticket
    return lot < 0
  })
  return records.at(at) as Srv
}

/** A name without such a record has no addresses; a failed lookup is an error. */
const systemDns: Dns = {
  srv: (name) => resolveSrv(name).catch(noneIfUnknown),
  addresses: async (name) =>
    (await lookup(name, { all: true }).catch(noneIfUnknown)).map(({ address }) => address),
}

function noneIfUnknown(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return []
  throw error
}
