/**
 * D280: the keys that are pressed in a call. A side sends them as telephone events (RFC 4733), as INFO or as tones in its
 * sound; the other side gets them as telephone events if it negotiated them, as INFO if it sends its own keys so,
 * otherwise as tones.
 */
import type { SideName } from '../../../../media/relay/side.ts'
import type { Leg } from '../../../../sip/dialog/leg.ts'
import { contentType } from '../../../../sip/headers/numbers.ts'
import type { SipRequest } from '../../../../sip/message/message.ts'
import type { KeyPress } from '../../../port.ts'
import type { Sound } from '../media/sound.ts'
import { readInfoKey } from './info-keys.ts'

export type KeyKind = 'event' | 'sound' | 'info'

type Deps = {
  sound: Pick<Sound, 'pressKeys' | 'hasTelephoneEvents'>
  legOf(side: SideName): Pick<Leg, 'info'> | undefined
  now(): Date
  isTalking(): boolean
}

/** More are delivered, but not remembered. */
const maxRemembered = 200
const infoType = 'application/dtmf-relay'
const infoBody = (key: string) => Buffer.from(`Signal=${key}\r\nDuration=100\r\n`)

/** The keys of one call; `isTalking` says whether its sides are connected. */
export function createKeys({ sound, legOf, now, isTalking }: Deps) {
  const kinds = new Map<SideName, KeyKind>()
  const presses: KeyPress[] = []

  function remember(from: KeyPress['from'], to: SideName, keys: string) {
    for (const key of keys) if (presses.length < maxRemembered) presses.push({ at: now(), from, to, key })
  }

  function deliver(to: SideName, keys: string) {
    if (sound.hasTelephoneEvents(to) || kinds.get(to) !== 'info') return sound.pressKeys(to, keys)
    for (const key of keys) void legOf(to)?.info(infoBody(key), infoType)
  }

  /** A side that sends each key in several ways is taken by the one that came first. */
  function receive(from: SideName, key: string, kind: KeyKind) {
    if (!isTalking()) return
    if (!kinds.has(from)) kinds.set(from, kind)
    if (kinds.get(from) !== kind) return
    const to = peerOf(from)
    remember(from, to, key)
    // Telephone events are relayed as such, and tones as the sound that they are.
    const isRelayed = kind === (sound.hasTelephoneEvents(to) ? 'event' : 'sound')
    if (!isRelayed) deliver(to, key)
  }

  /** While the two sides talk, a key is delivered as the other side takes it; all else is forwarded. */
  async function receiveInfo(from: SideName, request: SipRequest): Promise<number> {
    const peer = legOf(peerOf(from))
    const type = contentType(request)
    if (!isTalking() || !peer || type === undefined) return 488
    const key = readInfoKey(request)
    if (key === undefined) return await peer.info(request.body, type)
    receive(from, key, 'info')
    return 200
  }

  /** Keys that the host sends to a side. False unless the two sides talk. */
  function press(to: SideName, keys: string): boolean {
    if (!isTalking()) return false
    remember('service', to, keys)
    deliver(to, keys)
    return true
  }

  return { receive, receiveInfo, press, presses: () => presses }
}
export type Keys = ReturnType<typeof createKeys>

const peerOf = (side: SideName): SideName => (side === 'extension' ? 'other' : 'extension')
