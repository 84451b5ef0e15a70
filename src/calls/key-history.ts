/** D281: the keys of a call as they are stored. They may be those of a card or a password, so they are hidden by default. */
import type { PressedKey } from '../contract/calls/call-record.ts'
import type { CallEvent, KeyPress, Side } from '../engine/port.ts'

/** Stands for a key that is not stored. */
const hidden = 'x'

export function createKeyHistory({ showsKeys }: { showsKeys: boolean }) {
  /** The event without the keys that must not be stored. */
  return function hideKeys(event: CallEvent): CallEvent {
    if (showsKeys || event.type !== 'ended' || !event.keys) return event
    return { ...event, keys: event.keys.map((press) => ({ ...press, key: hidden })) }
  }
}

/** JSON for the call record; null if no key was pressed. */
export function storedKeys(presses: KeyPress[] | undefined): string | null {
  if (!presses) return null
  const stored = presses.map(({ at, from, to, key }): PressedKey => {
    return { at: at.toISOString(), from: pressedBy[from], to: sideOf[to], key }
  })
  return JSON.stringify(stored)
}

const sideOf = { extension: 'extension', other: 'destination' } as const
const pressedBy = { ...sideOf, service: 'api' } as const satisfies Record<Side, PressedKey['from']>
