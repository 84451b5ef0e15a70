/** Sends OPTIONS to the addresses of a carrier now, whether the trunk is in use or not. */
import { type Timers, withTimeout } from '../../../kit/timers.ts'
import type { SipResponse } from '../../../sip/message/message.ts'
import type { Peer } from '../../../sip/transport/flow.ts'
import type { UserAgent } from '../../../sip/user-agent/user-agent.ts'
import type { TrunkResponse } from '../../port.ts'
import { requestTo, targetAt } from './carrier-request.ts'
import type { Resolve } from './resolve.ts'
import type { Trunk } from './trunk.ts'

const timeoutMs = 5_000

type Settings = { userAgent: Pick<UserAgent, 'request'>; timers: Timers; resolve: Resolve }

export function createTrunkTest({ userAgent, timers, resolve }: Settings) {
  async function ask(trunk: Trunk, remote: Peer): Promise<TrunkResponse> {
    const began = timers.now()
    let response: SipResponse | undefined
    const options = { ...requestTo(trunk, targetAt(trunk, remote)), method: 'OPTIONS' }
    await withTimeout(
      timers,
      timeoutMs,
      userAgent.request(options).then((answer) => {
        response = answer
      }),
    )
    return {
      address: remote.address.includes(':')
        ? `[${remote.address}]:${remote.port}`
        : `${remote.address}:${remote.port}`,
      status: response?.status,
      reason: response?.reason,
      milliseconds: Math.round(timers.now() - began),
    }
  }

  return async (trunk: Trunk): Promise<TrunkResponse[]> => {
    const peers = await resolve(trunk).catch(() => [])
    return await Promise.all(peers.map((remote) => ask(trunk, remote)))
  }
}
