/** Holds the phone and gives it one event after the other: an event that an effect causes at once waits for its turn. */
import { offPhone, type Phone, type SessionId } from './phone.ts'
import type { Effect, PhoneEvent } from './phone-events.ts'
import { movePhone } from './phone-moves.ts'

type Deps = {
  /** A number that no session has had. */
  freshSession(): SessionId
  /** Must not throw. */
  run(effect: Effect): void
  onChange(phone: Phone): void
}

export function createPhoneMachine({ freshSession, run, onChange }: Deps) {
  let phone = offPhone
  let isMoving = false
  const queue: PhoneEvent[] = []

  function move(event: PhoneEvent) {
    const { phone: next, effects } = movePhone(phone, event, freshSession())
    const isChanged = next !== phone
    phone = next
    if (isChanged) onChange(next)
    for (const effect of effects) run(effect)
  }

  return {
    dispatch(event: PhoneEvent) {
      queue.push(event)
      if (isMoving) return
      isMoving = true
      for (let next = queue.shift(); next; next = queue.shift()) move(next)
      isMoving = false
    },
  }
}
