/**
 * Links to recordings that work without a token for as long as the recording is kept (D120: who may listen). They are
 * signed, not stored: a recording has the same link until its links are revoked (D209), which changes their version.
 */
import { timingSafeEqual } from 'node:crypto'
import { type Clock, plusSeconds } from '../kit/clock.ts'
import { signWith } from '../kit/vault.ts'

const daySeconds = 86_400

export type SignedLink = { callId: string; expires: string; version: string; signature: string }

type Deps = {
  /** Signs the links; another process may replace it. */
  key: () => Buffer
  clock: Clock
  /** Where the recording of a call is, without a signature. */
  address: (callId: string) => string
  /** How long recordings are kept. */
  days: number
}

type Recorded = { id: string; recording: string | null; ended_at: Date | null; link_version: number }

/** As `unsignedLinkOf` writes it into the payload of an event, where metadata comes later and quotes are escaped. */
const unsignedLink =
  /"recordUrl":"[^"\\]+\/calls\/(?<callId>[0-9a-f-]{36})\/recording\?expires=(?<expires>\d+)(?:&version=(?<version>\d+))?"/

export function createRecordingLinks({ key, clock, address, days }: Deps) {
  /** D121: empty if there is no recording, or no longer; set already while the recording is being moved to the store. */
  function unsignedLinkOf({ id, recording, ended_at, link_version }: Recorded): string {
    if (!ended_at || (recording !== 'spooled' && recording !== 'stored')) return ''
    const expires = Math.floor(plusSeconds(ended_at, days * daySeconds).getTime() / 1000)
    return `${address(id)}?expires=${expires}${link_version === 0 ? '' : `&version=${link_version}`}`
  }

  function linkOf(call: Recorded): string {
    const link = unsignedLinkOf(call)
    if (link === '') return ''
    const { searchParams } = new URL(link)
    return withSignature(link, {
      callId: call.id,
      expires: searchParams.get('expires') ?? '',
      version: String(call.link_version),
    })
  }

  /** D209: events are stored without signatures, which are added to a payload when it is sent or shown. */
  function signPayload(payload: string): string {
    return payload.replace(unsignedLink, (member: string, ...found) => {
      const { callId, expires, version = '0' } = found.at(-1)
      return `${withSignature(member.slice(0, -1), { callId, expires, version })}"`
    })
  }

  /** The version is compared with that of the call when the recording is opened. */
  function isValid({ callId, expires, version, signature }: SignedLink): boolean {
    if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= clock.now().getTime()) return false
    if (!/^(0|[1-9]\d{0,8})$/.test(version)) return false
    const given = Buffer.from(signature)
    const ours = Buffer.from(sign({ callId: callId.toLowerCase(), expires, version }))
    return given.length === ours.length && timingSafeEqual(given, ours)
  }

  function withSignature(link: string, signed: Omit<SignedLink, 'signature'>): string {
    return `${link}&signature=${sign(signed)}`
  }

  /** Links of the first version are signed as they were before links had versions. */
  function sign({ callId, expires, version }: Omit<SignedLink, 'signature'>): string {
    const text = version === '0' ? `${callId}\n${expires}` : `${callId}\n${expires}\n${version}`
    return signWith(key(), text).toString('base64url')
  }

  return { linkOf, unsignedLinkOf, signPayload, isValid }
}
export type RecordingLinks = ReturnType<typeof createRecordingLinks>
