/** D291: what web phones need besides their extension. */
import { IceServers as Reply } from '../../../contract/accounts/phones.ts'
import type { IceServers } from '../../../extensions/phones/ice-servers.ts'
import type { Clock } from '../../../kit/clock.ts'
import { type AnyEntry, entry } from '../../entry.ts'

type Deps = { iceServers: IceServers; clock: Clock }

export function phoneRoutes({ iceServers: { iceServers, seconds }, clock }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/phones/ice-servers',
      tag: 'Extensions',
      about: 'The TURN servers of a web phone, with short-lived credentials',
      notes:
        'For browsers in networks that block UDP. The answer is a configuration of `RTCPeerConnection`. Fetch it before every call: the relay ends with its credentials.',
      may: 'calls.place',
      scope: 'calls:place',
      limit: 'other',
      reply: Reply,
      run: async ({ caller }) => ({
        iceServers: iceServers(clock.now(), caller.user.uuid),
        ttl: seconds,
      }),
    }),
  ]
}
