/**
 * The one phone of the browser. The tab that holds the lock has it; the others show where it is, and wait for it: the next of
 * them has it when its tab is closed.
 */
import { request } from '../api.ts'
import type { Extension } from '../api-types.ts'
import { setDialer } from '../dial.ts'
import type { Access, Agent } from './agent/agent.ts'
import type { DescribeCall } from './agent/effects.ts'
import { canUseMicrophone } from './sound/devices.ts'
import { onPhoneChange, phoneState, setPhone } from './state.ts'

const lockName = 'ramal.phone'
/** Held during a call, so that other tabs know of it. */
const callLockName = 'ramal.phone.call'
/** Well before the credentials end. */
const renewMs = 600_000
/** After a refusal. */
const retryMs = 5_000

let agent: Agent | undefined
/** Ends the wait for the lock, or gives it back. */
let leave: (() => void) | undefined
let startedFor: number | undefined
let openings = 0
let timer: ReturnType<typeof setTimeout> | undefined

export const phone = () => agent

type Start = { extension: Extension; describe: DescribeCall }

/** Waits for the phone of another tab, if there is one. */
export function startPhone(start: Start) {
  if (!canUseMicrophone() || startedFor === start.extension.id) return
  requestLock(start, false)
}

/** Here, rather than in another tab (D414) or on another device (D413). */
export function takePhone(start: Start) {
  if (phoneState().registration !== 'displaced') return requestLock(start, true)
  closeAgent()
  void open(start)
}

/** D414: whether another tab is in a call, which ends when this one takes the phone. */
export async function isOtherTabInCall(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === callLockName)
}

function requestLock(start: Start, steal: boolean) {
  leave?.()
  startedFor = start.extension.id
  setPhone({ isElsewhere: !steal })
  const waiting = new AbortController()
  leave = () => waiting.abort()
  navigator.locks
    .request(lockName, steal ? { steal } : { signal: waiting.signal }, async () => {
      setPhone({ isElsewhere: false })
      const stopLocking = lockDuringCalls()
      void open(start)
      await new Promise<void>((resolve) => {
        leave = resolve
      }).finally(stopLocking)
    })
    .catch(() => {
      if (waiting.signal.aborted) return
      // Another tab took the phone; this one has it again when that is closed.
      closeAgent()
      requestLock(start, false)
    })
}

function lockDuringCalls(): () => void {
  let release: (() => void) | undefined
  return onPhoneChange(() => {
    const isInCall = phoneState().call !== undefined
    if (isInCall === (release !== undefined)) return
    release?.()
    release = undefined
    if (!isInCall) return
    const over = new Promise<void>((resolve) => {
      release = resolve
    })
    void navigator.locks.request(callLockName, () => over)
  })
}

async function open({ extension, describe }: Start) {
  openings += 1
  const opening = openings
  try {
    const access = await readAccess(extension)
    const { createAgent } = await import('./agent/agent.ts')
    // Another tab may have taken the phone meanwhile.
    if (opening !== openings) return
    const renew = () => renewLater(extension, retryMs)
    agent = createAgent({ ramal: extension.ramal, access, describe, renew })
    setDialer(dial)
    renewLater(extension, renewMs)
  } catch {
    if (opening !== openings) return
    setPhone({ registration: 'failed' })
    timer = setTimeout(() => void open({ extension, describe }), retryMs)
  }
}

async function readAccess(extension: Extension): Promise<Access> {
  const path = { id: extension.id }
  const [credential, { iceServers }] = await Promise.all([
    request('POST', '/extensions/{id}/phone-credential', { path }),
    request('GET', '/phones/ice-servers'),
  ])
  return { ...credential, iceServers }
}

/** The service may be away, or the session may have ended: it is tried again. */
function renewLater(extension: Extension, ms: number) {
  clearTimeout(timer)
  timer = setTimeout(async () => {
    const access = await readAccess(extension).catch(() => undefined)
    if (access) agent?.renew(access)
    renewLater(extension, access ? renewMs : retryMs)
  }, ms)
}

function dial(number: string): boolean {
  const { registration, call } = phoneState()
  if (!agent || registration !== 'ready' || call) return false
  agent.dial(number)
  return true
}

function closeAgent() {
  openings += 1
  clearTimeout(timer)
  setDialer(undefined)
  agent?.stop()
  agent = undefined
}

export function stopPhone() {
  closeAgent()
  startedFor = undefined
  leave?.()
}
