/**
 * Routes: how an INVITE reaches a destination. The phone of an extension has one route; a telephone number has
 * one for each trunk address that serves it, in the order of D118. A phone of another node is reached through that node.
 */
import type { Cause } from '../../../contract/calls/causes.ts'
import type { Maybe } from '../../../kit/maybe.ts'
import type { CodecName } from '../../../media/codecs/registry.ts'
import type { LegFailure } from '../../../sip/dialog/leg.ts'
import { type Address, formatAddress } from '../../../sip/headers/address.ts'
import type { HeaderPairs } from '../../../sip/message/request.ts'
import { noParams } from '../../../sip/syntax/params.ts'
import type { Target } from '../../../sip/transport/flow.ts'
import { sipUri, type Uri } from '../../../sip/uri/uri.ts'
import type { InviteOptions } from '../../../sip/user-agent/outgoing-invite.ts'
import type { AcceptedCall, CallRequest, ExtensionName, Party } from '../../port.ts'
import { shouldTryNext } from '../trunks/failover.ts'
import type { Candidate, Trunks } from '../trunks/trunks.ts'
import { isOfferRefused, type OfferedProtection, protectionsOf } from './media/side-protection.ts'
import type { Callee } from './sip-causes.ts'

export type Route = {
  /** The INVITE, apart from the sound it offers. */
  calling: Omit<InviteOptions, 'offer'>
  callee: Callee
  /** The other node of the fleet that rings the phone (D241). */
  isThroughNode?: true
  /** The codecs the callee takes; without this list, all of ours. */
  codecs?: readonly CodecName[]
  /** The protection of the sound that the callee has; by default none. */
  protection?: OfferedProtection
  /** D174: networks from which the callee may send sound, besides the address of its SDP. */
  trusted?: readonly string[]
  /** Whether the next route may be tried after this failure. */
  mayTryNext(failure: LegFailure): boolean
  /** Gives the trunk channel back; a second call does nothing. */
  release(): void
}

/** Opens a route when its turn comes, or returns the cause why it cannot be used, such as a trunk without capacity. */
export type OpenRoute = () => Maybe<Route | Cause>

/** `isPrivate`: the caller does not want to be known to the callee (D268). `referredBy`: who transfers the caller (D641). */
export type RoutedCall = Pick<AcceptedCall, 'callId' | 'destination' | 'presented'> & {
  isPrivate?: boolean
  referredBy?: ExtensionName | undefined
}

/** The routes of a call in the order to try them. */
export type FindRoutes = (call: RoutedCall) => OpenRoute[]

/** Where the registrar found the phone of an extension. */
export type PhoneLocation = { target: Target; contact: Uri; path: readonly string[] }

type Deps = {
  findPhone(extension: ExtensionName): PhoneLocation | undefined
  autoAnswer: boolean
  trunks: Pick<Trunks, 'choose'>
  /** To a phone of another node (D241); undefined if it is registered nowhere. */
  routeToNode?(extension: ExtensionName, call: RoutedCall): Promise<Route | undefined>
}

export function createRoutes({ findPhone, autoAnswer, trunks, routeToNode }: Deps) {
  function callPhone(
    extension: ExtensionName,
    shown: Party | undefined,
    headers: HeaderPairs,
  ): Omit<InviteOptions, 'offer'> | undefined {
    const phone = findPhone(extension)
    if (!phone) return undefined
    const { domain, number } = extension
    return {
      uri: phone.contact,
      target: phone.target,
      from: partyAddress(shown, domain),
      to: addressOf(number, domain, undefined),
      headers: [...phone.path.map((route) => ['Route', route] as const), ...headers],
    }
  }

  /**
   * D77: the first leg of a call placed over the API. Web phones recognise such a call by its headers.
   * Undefined if the extension has no phone.
   */
  function inviteExtension({ callId, extension, shown }: CallRequest) {
    return callPhone(extension, shown, [
      ['X-Call-Id', callId],
      ['X-Api4comintegratedcall', 'true'],
      ...(autoAnswer ? autoAnswerHeaders : []),
    ])
  }

  /** One route for each protection of the sound that the phone may have. */
  function toPhone(extension: ExtensionName, call: RoutedCall): OpenRoute[] | undefined {
    const { callId, presented, isPrivate, referredBy } = call
    const calling = callPhone(extension, isPrivate ? undefined : presented, [
      ['X-Call-Id', callId],
      ...(referredBy ? [referredByHeader(referredBy)] : []),
    ])
    if (!calling) return undefined
    return protectionsOf(calling.target).map((protection) => () => ({
      calling,
      callee: 'phone',
      protection,
      mayTryNext: isOfferRefused,
      release() {},
    }))
  }

  const absent: OpenRoute[] = [() => 'USER_NOT_REGISTERED']

  const find: FindRoutes = (call) => {
    const { destination } = call
    if ('extension' in destination) {
      const { extension } = destination
      const elsewhere: OpenRoute = async () => (await routeToNode?.(extension, call)) ?? 'USER_NOT_REGISTERED'
      return toPhone(extension, call) ?? (routeToNode ? [elsewhere] : absent)
    }
    return trunks
      .choose(destination.number)
      .map((candidate) => () => overTrunk(candidate, destination.number, call))
  }

  /** For a call of another node: to a phone of this one, and no further. */
  const findHere: FindRoutes = (call) =>
    ('extension' in call.destination ? toPhone(call.destination.extension, call) : undefined) ?? absent

  return { inviteExtension, find, findHere }
}

function overTrunk(candidate: Candidate, number: string, call: RoutedCall): Route | Cause {
  const { callId, presented, isPrivate } = call
  const release = candidate.take()
  if (!release) return 'NORMAL_CIRCUIT_CONGESTION'
  const { headers, ...invite } = candidate.invite(number, presented, isPrivate)
  return {
    calling: { ...invite, target: candidate.target, headers: [...headers, ['X-Call-Id', callId]] },
    callee: 'carrier',
    codecs: candidate.trunk.codecs,
    trusted: candidate.trunk.trust,
    protection: candidate.trunk.srtp ? 'sdes' : 'none',
    mayTryNext: shouldTryNext,
    release,
  }
}

const autoAnswerHeaders: HeaderPairs = [
  ['Alert-Info', '<http://127.0.0.1>;info=alert-autoanswer;delay=0'],
  ['Call-Info', '<sip:127.0.0.1>;answer-after=0'],
]

/** RFC 3892. */
const referredByHeader = ({ domain, number }: ExtensionName) =>
  ['Referred-By', formatAddress({ uri: sipUri({ user: number, host: domain }) })] as const

/** Undefined is a party that is not to be known (D268). */
export function partyAddress(party: Party | undefined, domain: string): Address {
  return party ? addressOf(party.number, domain, party.name) : addressOf('anonymous', domain, 'Anonymous')
}

export function addressOf(user: string, host: string, name: string | undefined): Address {
  return { name, uri: sipUri({ user, host }), params: noParams }
}
