/** Phones: each registers at a voice node, again and again; elsewhere when its node is gone; and people take new ones. */
import type { EngineHost, ExtensionName, RegistrationEvent } from '../../src/engine/port.ts'
import { inside } from '../sim/globals.ts'
import type { ServiceProcess } from '../sim/service-process.ts'
import type { Extension, Office } from './office.ts'
import type { World } from './world.ts'

const everyMs = 20_000
const retryMs = 2_000

/** The phone in use for an extension, and the node at which it is. */
type Line = {
  office: Office
  extension: Extension
  phone: number
  process: ServiceProcess | undefined
  since: number
}

export function createPhones({ scheduler, random, history, processes }: World) {
  const lines: Line[] = []
  /** Phones that wait for the answer to their REGISTER. */
  const waiting = new Map<string, (stored: Promise<void>) => void>()
  const waiterOf = (process: ServiceProcess, { number, domain }: ExtensionName) =>
    `${process.name} ${number}@${domain}`

  const isServing = (process: ServiceProcess | undefined): boolean =>
    process?.isAlive === true && process.isUp && process.engine !== undefined && !process.engine.isDraining()

  function chooseNode(): ServiceProcess | undefined {
    return random.pick(
      [...processes].filter((process) => isServing(process) && process.slot.roles.includes('voice')),
    )
  }

  async function register(line: Line) {
    const { office, extension } = line
    // A colleague's phone is taken now and then, and some phones change their node for no reason.
    if (random.next() < 0.04) line.phone += 1
    if (!isServing(line.process) || random.next() < 0.05) line.process = chooseNode()
    const { process, phone } = line
    const engine = process?.engine
    if (!process || !engine) return retry(line)
    const name = { domain: office.domain, number: extension.number }
    const at = scheduler.now()
    let isAnswered = false
    const answered = new Promise<void>((resolve) => {
      waiting.set(waiterOf(process, name), (stored) => void stored.then(resolve, () => {}))
    })
    const request = {
      extension: name,
      password: extension.password,
      phone: `phone-${phone}`,
      userAgent: 'sim',
    }
    const isTaken = await inside(process, () => engine.requestRegistration(request)).catch(() => false)
    if (!isTaken) {
      line.phone += 1
      return retry(line)
    }
    scheduler.schedule(10_000, () => {
      if (!isAnswered) retry(line)
    })
    await answered
    isAnswered = true
    if (line.phone !== phone || line.process !== process) return
    line.since = at
    history.push({
      kind: 'registered',
      at: scheduler.now(),
      account: office.domain,
      extension: extension.number,
      phone: `phone-${phone}`,
    })
    schedule(line, everyMs * (0.5 + random.next()))
  }

  const planned = new Map<Line, { cancel(): void }>()

  function schedule(line: Line, ms: number) {
    planned.get(line)?.cancel()
    planned.set(
      line,
      scheduler.schedule(ms, () => void register(line)),
    )
  }

  const retry = (line: Line) => schedule(line, retryMs * (0.5 + random.next()))

  return {
    add(office: Office, extension: Extension) {
      const line: Line = { office, extension, phone: 0, process: undefined, since: 0 }
      lines.push(line)
      schedule(line, random.next() * 500)
    },
    lineOf: (domain: string, number: string) =>
      lines.find(({ office, extension }) => office.domain === domain && extension.number === number),
    /** A phone that is registered, for calls that do not come from the API. */
    anyLine: () => random.pick(lines.filter(({ process, since }) => since > 0 && isServing(process))),
    /** The engine reports a phone that was there before as one that refreshes, as the embedded one does. */
    wrap(process: ServiceProcess, host: EngineHost): EngineHost {
      const known = new Map<string, string | undefined>()
      return {
        ...host,
        onRegistration(event) {
          const given = refreshed(event, known)
          const done = Promise.resolve(host.onRegistration(given))
          if (given.type === 'registered' || given.type === 'refreshed')
            waiting.get(waiterOf(process, given.registration.extension))?.(done)
          return done
        },
      }
    },
    onKilled(process: ServiceProcess) {
      for (const line of lines) if (line.process === process) retry(line)
    },
  }
}
export type Phones = ReturnType<typeof createPhones>

function refreshed(event: RegistrationEvent, known: Map<string, string | undefined>): RegistrationEvent {
  if (event.type !== 'registered') {
    if (event.type === 'unregistered') known.delete(`${event.extension.number}@${event.extension.domain}`)
    return event
  }
  const { extension, state } = event.registration
  const key = `${extension.number}@${extension.domain}`
  const isSame = known.get(key) === state
  known.set(key, state)
  return isSame ? { type: 'refreshed', registration: event.registration } : event
}
