/** Where the service is reached. With PORT=0 the port is known only once the server listens. */
import type { Config } from '../config.ts'
import type { VoiceEngine } from '../engine/port.ts'
import { urlOf } from '../http/server/listening.ts'
import { sipPath } from '../http/server/sip-upgrade.ts'

export function createAddresses({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>) {
  let local = urlOf(host, port)
  return {
    /** For others, in links and mails. */
    publicUrl: () => publicUrl ?? local,
    /** For this machine: the public address may not be reachable from inside. */
    localUrl: () => local,
    onListening(url: string) {
      local = url
    },
  }
}
export type Addresses = ReturnType<typeof createAddresses>

/** Where phones reach this process, by transport. */
export function sipAddresses(engine: VoiceEngine | undefined, publicUrl: string): Record<string, string> {
  if (!engine) return {}
  const web = engine.acceptUpgrade && { 'Web phones': `${publicUrl.replace(/^http/, 'ws')}${sipPath}` }
  return { ...engine.addresses(), ...web }
}
