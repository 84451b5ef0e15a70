/** The one phone of the browser: the tab that holds the lock has it, the others show where it is. */
import { client, must } from '../api.ts'
import type { Extension } from '../api-types.ts'
import { setDialer } from '../dial.ts'
import type { Access, Agent } from './agent.ts'
import { canUseMicrophone } from './devices.ts'
import { phoneState, setPhone } from './state.ts'

const lockName = 'ramal.phone'
/** Well before the credentials end. */
const renewMs = 600_000
/** After a refusal. */
const retryMs = 15_000

let agent: Agent | undefined
let release: (() => void) | undefined
let startedFor: number | undefined
let timer: ReturnType<typeof setTimeout> | undefined

export const phone = () => agent

type Start = { extension: Extension; describe: (number: string) => string }

/** Waits for the phone of another tab, or takes it away with `steal`. */
export function startPhone(start: Start, steal = false) {
  if (!canUseMicrophone()) return
  if (startedFor === start.extension.id && !steal) return
  startedFor = start.extension.id
  setPhone({ isElsewhere: !steal })
  const options: LockOptions = steal ? { steal: true } : {}
  navigator.locks
    .request(lockName, options, async () => {
      setPhone({ isElsewhere: false })
      await open(start)
      await new Promise<void>((resolve) => {
        release = resolve
      })
    })
    .catch(() => {
      // Another tab took the phone.
      clearTimeout(timer)
      setDialer(undefined)
      agent?.stop()
      agent = undefined
      startedFor = undefined
      setPhone({ isElsewhere: true })
    })
}

async function open({ extension, describe }: Start) {
  try {
    const access = await readAccess(extension)
    const { createAgent } = await import('./agent.ts')
    const renew = () => renewLater(extension, retryMs)
    agent = createAgent({ ramal: extension.ramal, access, describe, renew })
    setDialer(dial)
    renewLater(extension, renewMs)
  } catch {
    setPhone({ registration: 'failed' })
    timer = setTimeout(() => void open({ extension, describe }), retryMs)
  }
}

async function readAccess(extension: Extension): Promise<Access> {
  const path = { id: String(extension.id) }
  const [credential, { iceServers }] = await Promise.all([
    must(client.POST('/extensions/{id}/phone-credential', { params: { path } })),
    must(client.GET('/phones/ice-servers')),
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

export function stopPhone() {
  clearTimeout(timer)
  setDialer(undefined)
  agent?.stop()
  agent = undefined
  startedFor = undefined
  release?.()
}
