/** The time, every second; one timer for all that show it, so that they change in one step. */
import { useState, useSyncExternalStore } from 'react'

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

function tick() {
  now = Date.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (timer === undefined) {
    now = Date.now()
    timer = setInterval(tick, 1_000)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

export const useNow = (): number => useSyncExternalStore(subscribe, () => now)

/**
 * D670: what changes is shown at once, and again with the next second. Where several calls begin and end in each second the page is
 * drawn twice in it, not at each of them: between the two it answers clicks and keys.
 */
export function usePaced<T>(value: T): T {
  const at = useNow()
  const [shown, setShown] = useState({ value, at: 0 })
  if (value === shown.value || at === shown.at) return shown.value
  setShown({ value, at })
  return value
}
