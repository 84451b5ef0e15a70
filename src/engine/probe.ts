/** Questions to SIP peers without an engine, for commands: does a port or a trunk answer OPTIONS? */
import { createLog } from '../kit/process/log.ts'
import { systemTimers } from '../kit/timers.ts'
import { firstValue, type SipResponse } from '../sip/message/message.ts'
import { noParams } from '../sip/syntax/params.ts'
import type { Target } from '../sip/transport/flow.ts'
import { type SipUri, sipUri } from '../sip/uri/uri.ts'
import { sipProduct } from './embedded/other-requests.ts'
import { createResolve } from './embedded/trunks/resolve.ts'
import { readTrunk } from './embedded/trunks/trunk.ts'
import { openSipEndpoint } from './endpoint/signalling/sip-endpoint.ts'
import type { TrunkSettings } from './trunk-settings/trunk-settings.ts'

const timeoutMs = 4_000

/** `status` is that of the response to OPTIONS; undefined if none came in time. */
type TrunkProbe = { address: string; status: number | undefined }

type PeerProbe = { answers: boolean; isRamal: boolean }

/** Probes from `host`, an address of this machine, while `work` runs. */
export async function withSipProbe<T>(host: string, work: (probe: SipProbe) => Promise<T>): Promise<T> {
  const probe = await openSipProbe(host)
  try {
    return await work(probe)
  } finally {
    await probe.stop()
  }
}

async function openSipProbe(host: string) {
  const endpoint = await openSipEndpoint({
    host,
    product: 'Ramal doctor',
    timers: systemTimers,
    log: createLog('silent'),
  })
  const resolve = createResolve({ family: host.includes(':') ? 6 : 4 })

  async function sendOptions(uri: SipUri, target: Target): Promise<SipResponse | undefined> {
    const self = { name: undefined, uri: sipUri({ user: 'doctor', host: 'localhost' }), params: noParams }
    const timeout = new Promise<undefined>((done) => systemTimers.after(timeoutMs, () => done(undefined)))
    const response = endpoint.userAgent.request({
      method: 'OPTIONS',
      uri,
      target,
      from: self,
      to: { ...self, uri },
    })
    return await Promise.race([response, timeout])
  }

  return {
    /** Over UDP. */
    async probePeer(peer: { host: string; port: number }): Promise<PeerProbe> {
      const remote = { address: peer.host, port: peer.port }
      const response = await sendOptions(sipUri(peer), { transport: 'udp', remote })
      return {
        answers: response !== undefined,
        isRamal: response !== undefined && firstValue(response, 'Server') === sipProduct,
      }
    },

    /** Undefined if the trunk's address is not found. */
    async probeTrunk(settings: TrunkSettings): Promise<TrunkProbe | undefined> {
      const trunk = readTrunk(settings)
      const [remote] = await resolve(trunk).catch(() => [])
      if (!remote) return undefined
      const response = await sendOptions(trunk.address, { transport: trunk.transport, remote })
      return { address: `${remote.address}:${remote.port}`, status: response?.status }
    },
    stop: endpoint.stop,
  }
}
export type SipProbe = Awaited<ReturnType<typeof openSipProbe>>
