/** The embedded engine on free ports of loopback, with a host that knows a few extensions and records all events. */
import { createSecretKey, randomInt, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmbeddedEngine } from '../../../src/engine/embedded/engine.ts'
import type { EmbeddedSettings } from '../../../src/engine/embedded/settings.ts'
import type {
  AcceptedCall,
  CallEvent,
  CallRequest,
  CodeCallRequest,
  EngineHost,
  ExtensionName,
  IncomingCall,
  Registration,
  RegistrationEvent,
  RejectedCall,
} from '../../../src/engine/port.ts'
import { parseTrunks } from '../../../src/engine/trunk-settings/parse-trunks.ts'
import { systemClock } from '../../../src/kit/clock.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { systemTimers, type Timers } from '../../../src/kit/timers.ts'
import { createJournal } from '../peers/journal.ts'
import { loopbackSettings } from './test-settings.ts'

export const domain = 'ramal.test'
export const destination = '5548999998888'

type Options = {
  /** As in the setting TRUNKS; without, the sandbox carrier is used. */
  trunks?: object[]
  settings?: Partial<EmbeddedSettings>
  timers?: Timers
  registrations?: Registration[]
  admit?: (call: IncomingCall) => AcceptedCall | RejectedCall
  /** Identity of a node in a fleet, and where the phones of other nodes are. */
  node?: { id: string; key: () => Buffer }
  findNode?: EngineHost['findNode']
  /** Addresses the guard does not limit; by default all of loopback. */
  isThisMachine?: (address: string) => boolean
}

/** Four digits are an extension, more are nobody's. */
const isKnown = (extension: ExtensionName) => extension.domain === domain && extension.number.length <= 4

export const passwordOf = (number: string) => `password-of-${number}`

export async function openTestHost(options: Options = {}) {
  const spool = await mkdtemp(join(tmpdir(), 'ramal-spool-'))
  const calls = createJournal<CallEvent>('engine')
  const phones = createJournal<RegistrationEvent>('registrar')
  const incomingCalls: IncomingCall[] = []
  const revoked = new Set<number>()
  // Tests run in parallel: the engine skips ports that others use, which may be hundreds.
  const rtpPorts = { from: 20_000 + 2 * randomInt(3_000), to: 31_999 }
  const engine = createEmbeddedEngine(
    {
      settings: {
        ...loopbackSettings,
        rtpPorts,
        usesSandbox: !options.trunks,
        trunks: options.trunks ? parseTrunks(JSON.stringify(options.trunks)) : [],
        ...options.settings,
      },
      spoolFolder: spool,
      digestKey: createSecretKey(Buffer.alloc(32, 7)),
      clock: systemClock,
      timers: options.timers ?? systemTimers,
      ...(options.isThisMachine && { isThisMachine: options.isThisMachine }),
      log: createLog('silent'),
      node: options.node,
    },
    {
      ...(options.findNode && { findNode: options.findNode }),
      credentials: (extension, login) =>
        isKnown(extension) && !revoked.has(login?.userId ?? 0)
          ? { password: passwordOf(extension.number) }
          : undefined,
      extensions: async function* () {},
      registrations: async () => options.registrations ?? [],
      async admitCall(call) {
        incomingCalls.push(call)
        return options.admit?.(call) ?? { rejected: 'UNALLOCATED_NUMBER' }
      },
      onCall: calls.write,
      onRegistration: phones.write,
    },
  )
  await engine.start()
  const { udp = 0, ws = 0 } = engine.ports()

  return {
    engine,
    incomingCalls,
    /** The user may no longer use any extension. */
    revoke: (userId: number) => void revoked.add(userId),
    port: udp,
    server: `127.0.0.1:${udp}`,
    webSocket: `ws://127.0.0.1:${ws}`,
    calls: calls.entries,
    phones: phones.entries,
    until: (callId: string, type: CallEvent['type'], within = 10_000) =>
      calls.until((event) => event.callId === callId && event.type === type, { within }),
    registered: (number: string) =>
      phones.until((event) => event.type === 'registered' && event.registration.extension.number === number),
    async stop() {
      await engine.stop()
      await rm(spool, { recursive: true })
    },
  }
}
export type TestHost = Awaited<ReturnType<typeof openTestHost>>

export function callRequest(change: Partial<CallRequest> = {}): CallRequest {
  return {
    callId: randomUUID(),
    extension: { domain, number: '1000' },
    shown: { number: destination },
    destination: { number: destination },
    presented: { number: '554830001000' },
    record: false,
    limits: { ring: 20, answer: 20, talk: 60 },
    ...change,
  }
}

export function codeCallRequest(change: Partial<CodeCallRequest> = {}): CodeCallRequest {
  return {
    callId: randomUUID(),
    number: destination,
    code: '482193',
    maxTries: 3,
    limits: { answer: 60, typing: 60 },
    ...change,
  }
}
