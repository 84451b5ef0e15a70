/** The time, every second; one timer for all that show it, so that they change in one step, between clicks and keys (D670). */
import { startTransition, useEffect, useState } from 'react'

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<(now: number) => void>()

function tick() {
  now = Date.now()
  startTransition(() => {
    for (const listener of listeners) listener(now)
  })
}

function subscribe(listener: (now: number) => void) {
  listeners.add(listener)
  timer ??= setInterval(tick, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function read() {
  if (timer === undefined) now = Date.now()
  return now
}

export function useNow(): number {
  const [shown, setShown] = useState(read)
  useEffect(() => subscribe(setShown), [])
  return shown
}

const quietMs = 2_000

/**
 * D670: a change is shown at once when nothing changed in the second before it, else with the next second. Where several calls begin and
 * end in each second the page is drawn once in it: clicks and keys are answered in between.
 */
export function usePaced<T>(value: T): T {
  const at = useNow()
  const [shown, setShown] = useState({ value, at: 0, second: at })
  const isWaiting = at === shown.second && at - shown.at < quietMs
  if (value === shown.value ? at === shown.second : isWaiting) return shown.value
  setShown({ value, at: value === shown.value ? shown.at : at, second: at })
  return value
}
