/** Where the service is reached. With PORT=0 the port is known only once the server listens. */
import type { Config } from '../../config.ts'
import type { VoiceEngine } from '../../engine/port.ts'
import { urlOf } from '../../http/server/listening.ts'
import { sipPath } from '../../http/server/sip-upgrade.ts'
import { type TlsPair, trustIn } from '../../kit/process/tls-files.ts'

type Settings = Pick<Config, 'publicUrl' | 'host' | 'port' | 'httpTls'>

export function createAddresses({ publicUrl, host, port, httpTls }: Settings) {
  let local = urlOf(host, port, httpTls !== undefined)
  let certificate: TlsPair | undefined
  return {
    /** For others, in links and mails. */
    publicUrl: () => publicUrl ?? local,
    /** For this machine: the public address may not be reachable from inside. */
    localUrl: () => local,
    /** D290: how the certificate at `localUrl` is verified, which may be self-signed or for the public name. */
    localTrust: () => certificate && trustIn(certificate),
    onListening(url: string) {
      local = url
    },
    onCertificate(pair: TlsPair) {
      certificate = pair
    },
  }
}
export type Addresses = ReturnType<typeof createAddresses>

const webPhones = 'Web phones'

type PhoneServer = {
  transport: 'udp' | 'tcp' | 'tls' | 'ws' | 'wss'
  host: string
  port: number
  address: string
}

/** D300: the same for people who set up phones, of all nodes, each server once; UDP first. */
export function phoneServers(nodes: Record<string, string>[]): PhoneServer[] {
  const servers = nodes.flatMap(serversOf)
  return [...new Map(servers.map((server) => [server.address, server])).values()]
}

function serversOf(addresses: Record<string, string>): PhoneServer[] {
  return Object.entries(addresses).flatMap(([name, text]): PhoneServer[] => {
    const isUrl = /^wss?:/.test(text)
    const { hostname: host, port, protocol } = new URL(isUrl ? text : `ws://${text}`)
    if (isUrl) {
      const transport = protocol === 'wss:' ? 'wss' : 'ws'
      return [{ transport, host, port: Number(port) || (transport === 'wss' ? 443 : 80), address: text }]
    }
    const transports = name === 'SIP' ? (['udp', 'tcp'] as const) : (['tls'] as const)
    return transports.map((transport) => ({
      transport,
      host,
      port: Number(port),
      address: `sip:${text};transport=${transport}`,
    }))
  })
}

/** Where phones reach this process, by transport. */
export function sipAddresses(engine: VoiceEngine | undefined, publicUrl: string): Record<string, string> {
  if (!engine) return {}
  const web = engine.acceptUpgrade && { [webPhones]: webPhoneUrl(publicUrl) }
  return { ...engine.addresses(), ...web }
}

const webPhoneUrl = (publicUrl: string) => `${publicUrl.replace(/^http/, 'ws')}${sipPath}`

/** D350: a process without a voice node names the public address; the balancer there connects to those that have one. */
export function webPhoneAddress(hasVoice: boolean, phones: Record<string, string>, publicUrl: string) {
  return hasVoice ? (phones[webPhones] ?? null) : webPhoneUrl(publicUrl)
}
