/** Where the service is reached. With PORT=0 the port is known only once the server listens. */
import type { Config } from '../config.ts'
import type { VoiceEngine } from '../engine/port.ts'
import { urlOf } from '../http/server/listening.ts'
import { sipPath } from '../http/server/sip-upgrade.ts'
import { type TlsPair, trustIn } from '../kit/tls-files.ts'

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

export const webPhones = 'Web phones'

/** Where phones reach this process, by transport. */
export function sipAddresses(engine: VoiceEngine | undefined, publicUrl: string): Record<string, string> {
  if (!engine) return {}
  const web = engine.acceptUpgrade && { [webPhones]: `${publicUrl.replace(/^http/, 'ws')}${sipPath}` }
  return { ...engine.addresses(), ...web }
}
