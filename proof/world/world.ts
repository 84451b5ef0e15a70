/** What is outside of the service in a run: time, chance, the history, and a network to the processes that serve. */
import type { InjectOptions } from 'fastify'
import type { SeededRandom } from '../../bench/parts/crash/seeded-random.ts'
import type { Entry } from '../audit/history.ts'
import type { Scheduler } from '../sim/scheduler.ts'
import { type HttpAnswer, request, type ServiceProcess } from '../sim/service-process.ts'

/** A client gives up when it got no answer by then. */
const clientTimeoutMs = 30_000

export type World = {
  scheduler: Scheduler
  random: SeededRandom
  history: Entry[]
  /** The time that the database shows. */
  time(): Date
  hasFaults(): boolean
  processes: Set<ServiceProcess>
  /** Sends a request to a process that serves the API. Status 0 if there was no answer. */
  anyApi(options: InjectOptions): Promise<HttpAnswer>
  /** What a process says of itself. */
  ready(process: ServiceProcess): Promise<HttpAnswer>
  /** For what a client waits for. */
  wait(ms: number): Promise<void>
  /** Those who wait for an answer of a process that was killed get none. */
  onKilled(process: ServiceProcess): void
}

type Deps = { scheduler: Scheduler; random: SeededRandom; startsAt: Date; hasFaults(): boolean }

const noAnswer: HttpAnswer = { status: 0, body: undefined, bytes: 0 }

export function createWorld({ scheduler, random, startsAt, hasFaults }: Deps): World {
  const processes = new Set<ServiceProcess>()
  const waiting = new Map<ServiceProcess, Set<() => void>>()

  function send(process: ServiceProcess, options: InjectOptions): Promise<HttpAnswer> {
    return new Promise((resolve) => {
      const mine = waiting.get(process) ?? new Set()
      waiting.set(process, mine)
      const finish = (answer: HttpAnswer) => {
        mine.delete(lose)
        timeout.cancel()
        // The answer takes its time too.
        scheduler.schedule(random.next() * 3, () => resolve(answer))
      }
      const lose = () => finish(noAnswer)
      const timeout = scheduler.schedule(clientTimeoutMs, lose)
      mine.add(lose)
      scheduler.schedule(
        random.next() * 3,
        () => {
          request(process, options).then(finish, lose)
        },
        process,
      )
    })
  }

  return {
    scheduler,
    random,
    history: [],
    time: () => new Date(startsAt.getTime() + scheduler.now()),
    hasFaults,
    processes,
    async anyApi(options) {
      const serving = [...processes].filter(
        ({ isUp, isAlive, slot }) => isUp && isAlive && slot.roles.includes('api'),
      )
      const process = random.pick(serving)
      if (process) return await send(process, options)
      return await new Promise((resolve) => scheduler.schedule(100, () => resolve(noAnswer)))
    },
    ready: (process) => send(process, { method: 'GET', url: '/ready' }),
    wait: (ms) => new Promise((resolve) => scheduler.schedule(ms, resolve)),
    onKilled(process) {
      for (const lose of waiting.get(process) ?? []) lose()
      waiting.delete(process)
    },
  }
}
