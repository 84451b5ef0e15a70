/** Our part of a side's protection: what our offers and answers say of it, and what it means for the media. */
import { randomBytes } from 'node:crypto'
import type { Fingerprint } from '../../../../media/dtls/certificate.ts'
import { createIceCredentials, type IceCredentials } from '../../../../media/ice/ice-lite.ts'
import type { Security } from '../../../../media/secure/security.ts'
import { masterKeyLength, masterSaltLength } from '../../../../media/srtp/session-keys.ts'
import type { LegFailure } from '../../../../sip/dialog/leg.ts'
import type { Protection, ProtectionKind } from '../../../../sip/sdp/protection.ts'
import type { Terms } from '../../../../sip/sdp/terms.ts'
import { plainTransport, type Setup, type Transport } from '../../../../sip/sdp/transport.ts'
import type { Target } from '../../../../sip/transport/flow.ts'

type Options = {
  /** Fingerprint of our certificate. */
  fingerprint: Fingerprint
  /** Where the side can reach us. */
  address: string
  port: number
}

/** What an offer of ours asks for; the second form leaves the choice to the peer. */
export type OfferedProtection = ProtectionKind | 'sdes or dtls'

/** The protections that an answer to the offer may have. */
export function acceptedIn(offered: OfferedProtection): ProtectionKind[] {
  return offered === 'sdes or dtls' ? ['sdes', 'dtls'] : [offered]
}

export function createSideProtection({ fingerprint, address, port }: Options) {
  let ice: IceCredentials = createIceCredentials()
  let remoteUfrag: string | undefined
  /** Browsers do not talk without ICE, phones with DTLS do. */
  let hasIce = true
  const key = randomBytes(masterKeyLength + masterSaltLength).toString('base64')

  /** New credentials of the peer are an ICE restart, to which we answer with new ones (RFC 8839, 4.4.1.1.1). */
  function noteIce(theirs: IceCredentials) {
    if (remoteUfrag !== undefined && remoteUfrag !== theirs.ufrag) ice = createIceCredentials()
    remoteUfrag = theirs.ufrag
  }

  function dtlsTransport(setup: Setup, withIce: boolean): Transport {
    const found = { iceUfrag: ice.ufrag, icePassword: ice.password, candidates: [{ address, port }] }
    return { ...plainTransport, fingerprint, setup, ...(withIce && found) }
  }

  return {
    /** For an offer of ours. The peer must become the client of DTLS. */
    offered(kind: OfferedProtection): Transport {
      if (kind === 'none') return plainTransport
      if (kind === 'sdes') return { ...plainTransport, crypto: [{ tag: 1, key }] }
      if (kind === 'sdes or dtls') return { ...dtlsTransport('actpass', false), crypto: [{ tag: 1, key }] }
      if (!hasIce) return dtlsTransport('actpass', false)
      return { ...dtlsTransport('actpass', true), mid: '0', isBundled: true, isRtcpMuxed: true }
    },
    /** For our answer to an offer. */
    answered({ protection, transport }: Terms): Transport {
      const { mid, isBundled, isRtcpMuxed } = transport
      if (protection.kind === 'sdes')
        return { ...plainTransport, mid, crypto: [{ tag: protection.tag, key }] }
      if (protection.kind === 'none') return { ...plainTransport, mid }
      if (protection.ice) noteIce(protection.ice)
      return { ...dtlsTransport('passive', protection.ice !== undefined), mid, isBundled, isRtcpMuxed }
    },
    /** What the media need to know once both sides have described themselves. */
    agreed(theirs: Protection): Security | undefined {
      if (theirs.kind === 'none') return undefined
      if (theirs.kind === 'sdes') return { kind: 'sdes', ours: key, theirs: theirs.key }
      hasIce = theirs.ice !== undefined
      if (theirs.ice) remoteUfrag = theirs.ice.ufrag
      return {
        kind: 'dtls',
        fingerprint: theirs.fingerprint,
        ice: theirs.ice && { local: ice, remoteUfrag: theirs.ice.ufrag },
      }
    },
  }
}

/**
 * D236: the protections that a phone is offered, one after the other. One that signals over WebSocket is a browser, one over
 * TLS has SRTP in most cases; what it cannot do it refuses, and plain RTP is next. A few phones insist on DTLS.
 */
export function protectionsOf({ transport }: Target): [OfferedProtection, ...OfferedProtection[]] {
  if (transport === 'ws' || transport === 'wss') return ['dtls', 'none']
  return transport === 'tls' ? ['sdes or dtls', 'none', 'dtls'] : ['none', 'dtls']
}

/** Not Acceptable Here, Not Acceptable, Unsupported Media Type: the offer was refused, not the call. */
export function isOfferRefused({ status }: LegFailure): boolean {
  return status === 488 || status === 606 || status === 415
}
