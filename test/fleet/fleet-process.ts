/** A process of a fleet as an operator runs it, with the roles given. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { basePath } from '../../src/http/entry.ts'
import { freePort } from '../helpers/programs/free-port.ts'
import { launch } from '../helpers/programs/ramal-process.ts'
import { createClient } from '../helpers/service/client.ts'

const patienceMs = 90_000

type Where = Parameters<typeof launch>[2]

export async function startFleetProcess(roles: string, env: Record<string, string>, where?: Where) {
  const port = Number(env.PORT ?? (await freePort()))
  const settings = {
    ROLES: roles,
    PORT: String(port),
    SIP_PORT: '0',
    SIP_WS_PORT: '0',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ...env,
  }
  const child = launch(['serve'], settings, where)
  const exited = once(child, 'exit')
  const url = `http://${env.HOST ?? '127.0.0.1'}:${port}`

  async function stop(signal: NodeJS.Signals = 'SIGKILL') {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exited
  }

  const began = performance.now()
  while (!(await isReady(url))) {
    const isOver = child.exitCode !== null || performance.now() - began > patienceMs
    if (!isOver) await sleep(50)
    else {
      await stop()
      throw new Error(`${roles} did not become ready:\n${child.text()}`)
    }
  }
  return {
    url,
    api: createClient(`${url}${basePath}`),
    text: child.text,
    stop,
    /** Stopped, not ended: it neither answers nor closes anything. */
    suspend: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
  }
}
export type FleetProcess = Awaited<ReturnType<typeof startFleetProcess>>

/** A process whose clock the test has set wrong says so, and works (D516). */
async function isReady(url: string): Promise<boolean> {
  const waiting = await fetch(`${url}/ready`).then(
    async (response) => ((await response.json()) as { waiting: string[] }).waiting,
    () => ['nobody answers'],
  )
  return waiting.every((name) => name === 'clock')
}
