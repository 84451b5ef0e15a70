/**
 * Calls between the nodes of a fleet (D241). The first node has the call, its money and its recording, and dials the
 * phone of another node by an INVITE to that node, which only rings the phone.
 */
import { isIP } from 'node:net'
import type { Clock } from '../../../kit/clock.ts'
import { isUuid } from '../../../kit/ids.ts'
import type { Timers } from '../../../kit/timers.ts'
import * as parties from '../../../sip/headers/parties.ts'
import { firstValue, type SipRequest } from '../../../sip/message/message.ts'
import type { Flow, Peer } from '../../../sip/transport/flow.ts'
import { readHostPort } from '../../../sip/uri/host.ts'
import { sipUri } from '../../../sip/uri/uri.ts'
import type { EngineHost, ExtensionName, Party } from '../../port.ts'
import { addressOf, partyAddress, type Route, type RoutedCall } from '../call/routes.ts'
import { createRecentMap } from '../guard/recent-map.ts'
import type { Resolve } from '../trunks/resolve.ts'
import { callHeader, type NodeSignature, readSignature, signatureHeader, signFor } from './node-signature.ts'

/** How far the clocks of two nodes may be apart. */
const maxSkewSeconds = 120
/** Nonces that were used; each counts for as long as its time is accepted. */
const maxNonces = 200_000
const knownMs = 2 * 3_600_000
const maxNodes = 1_000

/** An INVITE of another node, for a phone of this one. */
export type NodeInvite = { callId: string; extension: ExtensionName; presented: Party | undefined }

export type NodeIdentity = {
  /** Id of this node. */
  id: string
  /** Shared by all nodes. */
  key(): Buffer
}

type Deps = {
  identity: NodeIdentity
  host: Pick<EngineHost, 'findNode'>
  clock: Clock
  timers: Timers
  resolve: Resolve
}

export function createNodeCalls({ identity, host, clock, timers, resolve }: Deps) {
  const nonces = createRecentMap<true>(maxNonces)
  /** Until when, in monotonic milliseconds. */
  const known = createRecentMap<number>(maxNodes)

  /** A signature for this node, of this time, that was not used before. */
  function readFresh(request: SipRequest): NodeSignature | undefined {
    if (firstValue(request, signatureHeader) === undefined) return undefined
    const signature = readSignature(identity.key(), request)
    if (!signature || signature.to !== identity.id || nonces.get(signature.nonce)) return undefined
    const skew = Math.abs(clock.now().getTime() / 1000 - signature.time)
    return skew <= maxSkewSeconds ? signature : undefined
  }

  function note(address: string) {
    known.set(address, timers.now() + knownMs)
  }

  return {
    /** Whether the INVITE is one of another node; a forged or repeated one is treated like that of any stranger. */
    isFromNode: (request: SipRequest) => readFresh(request) !== undefined,

    /** Reads the INVITE, which then cannot be used again. */
    take({ request, flow }: { request: SipRequest; flow: Flow }): NodeInvite | undefined {
      const signature = readFresh(request)
      const invite = signature && readInvite(request)
      if (!invite) return undefined
      nonces.set(signature.nonce, true)
      note(flow.remote.address)
      return invite
    },

    /** Whether a node is there, by what it signed or by the directory. Nodes send more than phones do. */
    isNode: (address: string) => (known.get(address) ?? 0) > timers.now(),

    /** The way to the phone of an extension that is registered at another node. */
    async routeTo(extension: ExtensionName, call: RoutedCall): Promise<Route | undefined> {
      const { callId, presented, isPrivate } = call
      const node = await host.findNode?.(extension)
      const remote = node && (await resolveAddress(resolve, node.address))
      if (!remote) return undefined
      note(remote.address)
      const { domain, number } = extension
      const to = addressOf(number, domain, undefined)
      return {
        calling: {
          uri: sipUri({ user: number, host: domain }),
          target: { transport: 'udp', remote },
          from: partyAddress(isPrivate ? undefined : presented, domain),
          to,
          headers: [[callHeader, callId]],
          sign: (request) => {
            const time = Math.floor(clock.now().getTime() / 1000)
            const signed = { from: identity.id, to: node.id, time }
            return [[signatureHeader, signFor(identity.key(), signed, request)]]
          },
        },
        callee: 'phone',
        isThroughNode: true,
        mayTryNext: () => false,
        release() {},
      }
    },
  }
}
export type NodeCalls = ReturnType<typeof createNodeCalls>

async function resolveAddress(resolve: Resolve, address: string): Promise<Peer | undefined> {
  const { host, port } = readHostPort(address)
  if (isIP(host) && port !== undefined) return { address: host, port }
  return (await resolve({ address: sipUri({ host, port }), transport: 'udp' }))[0]
}

function readInvite(request: SipRequest): NodeInvite | undefined {
  const { uri } = request
  const callId = firstValue(request, callHeader) ?? ''
  if (uri.scheme !== 'sip' || uri.user === undefined || !isUuid(callId)) return undefined
  const { name, uri: caller } = parties.from(request)
  const number = caller.scheme === 'sip' ? caller.user : undefined
  const isAnonymous = number === undefined || number === 'anonymous'
  return {
    callId,
    extension: { domain: uri.host, number: uri.user },
    presented: isAnonymous ? undefined : { number, ...(name && { name }) },
  }
}
