/**
 * One process of the service inside the simulation: the real program on simulated time, with its connections through the gate,
 * the fake engine, and parts of the outside world in place of ports and files. It can be killed at any moment.
 */
import type { FastifyInstance, InjectOptions } from 'fastify'
import { startApp } from '../../src/app/start.ts'
import { readConfig } from '../../src/config.ts'
import type { FakeNetwork } from '../../src/engine/fake/network.ts'
import { createFakeEngine, type FakeEngine } from '../../src/engine/fake.ts'
import type { EngineHost, VoiceEngine } from '../../src/engine/port.ts'
import { createLog } from '../../src/kit/process/log.ts'
import { systemTimers } from '../../src/kit/timers.ts'
import type { PaymentGateway } from '../../src/payments/port.ts'
import type { RecordingStore } from '../../src/recordings/storage/port.ts'
import type { Receivers } from '../../src/webhooks/webhooks.ts'
import { cheapPasswords } from '../../test/helpers/run/cheap-passwords.ts'
import type { Server } from '../database/server.ts'
import { operatorToken } from '../world/operator.ts'
import { expectFiles } from './boot.ts'
import { inside } from './globals.ts'
import type { Owner, Scheduler } from './scheduler.ts'

/** A place where one process after the other runs, as a machine: its disk and its phone lines outlive them. */
export type Slot = {
  name: string
  roles: string
  sipPort: number
  network: FakeNetwork
  clockOffsetMs: number
}

export type Parts = {
  /** Of what the service says; `silent` unless a run is looked into. */
  logLevel: Parameters<typeof createLog>[0]
  /** Shared by all processes, because it holds the secret key. */
  dataDir: string
  /** Connections of a process to the database; a fleet that is busier has more. */
  databasePool: number
  /** Reais that a new account is given. */
  trialCredit: number
  scheduler: Scheduler
  server: Server
  startsAt: Date
  openStream: (owner: Owner) => unknown
  gateway: PaymentGateway
  recordings: RecordingStore
  receivers: (owner: Owner) => Receivers
  /** What the engine tells its host goes through here. */
  wrapHost: (process: ServiceProcess, host: EngineHost) => EngineHost
  /** What the service gets in place of the engine. */
  onEngine: (process: ServiceProcess, engine: FakeEngine) => VoiceEngine
}

export type ServiceProcess = Owner & {
  slot: Slot
  name: string
  /** Beginning of its last pause. */
  pausedAt: number
  /** When its connections to the database were last made silent, or reach it again. */
  silencedAt: number
  isUp: boolean
  engine: FakeEngine | undefined
  app: Awaited<ReturnType<typeof startApp>> | undefined
  http: FastifyInstance | undefined
  /** Of a start that failed. */
  failure: unknown
}

const settings = {
  // The operator's API is part of it.
  CONSOLE: 'on',
  // The connection itself is the gate's; a database that others may reach too fences its nodes (D225).
  DATABASE_URL: 'postgres://simulated',
  DATABASE_SEARCH_POOL: '2',
  RATE_LIMITS: 'off',
  // With a carrier numbers are verified by calls (D188).
  TRUNKS: JSON.stringify([{ name: 'main', address: 'sip:carrier.example', qualifySeconds: 0 }]),
  TRIAL_PROOF: 'email',
  PAYMENT_GATEWAY: 'sandbox',
  OPERATOR_TOKEN: operatorToken,
  CALLS_PER_EXTENSION: '10000',
  CALLS_PER_ACCOUNT: '10000',
  CALL_ATTEMPTS: '10000',
  NEW_CALLS_PER_DAY: '10000000',
  NEW_SPENDING_PER_DAY: '10000000.00',
  CALLS_PER_DAY: '10000000',
  SPENDING_PER_DAY: '10000000.00',
  WEBHOOKS_PER_HOST_SECOND: '100000',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  RTP_PORTS: '10000-65535',
  RING_SECONDS: '15',
  ANSWER_SECONDS: '20',
}

let started = 0

/** Begins to start; `isUp` says when it serves. */
export function startProcess(slot: Slot, parts: Parts): ServiceProcess {
  const { scheduler, server, startsAt, gateway, recordings, wrapHost, onEngine } = parts
  started += 1
  const process: ServiceProcess = {
    isAlive: true,
    pausedUntil: 0,
    slot,
    name: `${slot.name}-${started}`,
    pausedAt: 0,
    silencedAt: 0,
    isUp: false,
    engine: undefined,
    app: undefined,
    http: undefined,
    failure: undefined,
  }
  const now = () => new Date(startsAt.getTime() + scheduler.now())
  const machineClock = {
    now: () => new Date(now().getTime() + slot.clockOffsetMs),
    elapsed: () => scheduler.now(),
  }
  const connection = { ...server.connection, stream: () => parts.openStream(process) }
  const database = {
    connection,
    adopted: false,
    owned: false,
    isComplete: () => true,
    revive: async () => {},
    stop: async () => {},
  }
  function engine(host: EngineHost) {
    const made = createFakeEngine(wrapHost(process, host), {
      now,
      timers: systemTimers,
      network: slot.network,
      records: true,
    })
    process.engine = made
    return onEngine(process, made)
  }
  async function listen(http: FastifyInstance) {
    // A request that is injected has no socket; the service asks it whether the client is still there (D227).
    http.addHook('onRequest', (request, _reply, done) => {
      Object.assign(request.raw.socket, { writable: true })
      done()
    })
    await http.ready()
    process.http = http
    return `http://${process.name}`
  }
  const env = {
    ...settings,
    DATABASE_POOL: String(parts.databasePool),
    TRIAL_CREDIT: parts.trialCredit.toFixed(2),
    DATA_DIR: parts.dataDir,
    ROLES: slot.roles,
    SIP_PORT: String(slot.sipPort),
  }
  expectFiles(true)
  inside(process, () => {
    startApp(readConfig(env), {
      machineClock,
      log: createLog(parts.logLevel),
      database: Promise.resolve(database),
      engine,
      gateway,
      passwords: cheapPasswords,
      recordings,
      receivers: parts.receivers(process),
      listen,
    }).then(
      (app) => {
        process.app = app
        process.isUp = true
        expectFiles(false)
      },
      (error: unknown) => {
        process.failure = error
        process.isAlive = false
        expectFiles(false)
      },
    )
  })
  return process
}

export type HttpAnswer = { status: number; body: unknown; bytes: number }

/** Sends a request to the process, if it serves. Resolves never if it is killed meanwhile. */
export async function request(process: ServiceProcess, options: InjectOptions): Promise<HttpAnswer> {
  const { http } = process
  if (!http || !process.isUp || !process.isAlive) return { status: 0, body: undefined, bytes: 0 }
  // It begins when it is awaited.
  const answer = await inside(process, async () => await http.inject(options))
  const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json')
  return {
    status: answer.statusCode,
    body: isJson && answer.body !== '' ? JSON.parse(answer.body) : undefined,
    bytes: answer.rawPayload.length,
  }
}
