/** Firefox with a web phone, driven over WebDriver BiDi. Its microphone is a tone of its own. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { WebSocket } from 'ws'
import { startProgram } from '../program.ts'
import { openSite, type PhoneOptions, startWebPhone } from './site.ts'

const preferences = (hertz: number) => ({
  'media.navigator.streams.fake': true,
  'media.navigator.audio.fake_frequency': hertz,
  'media.navigator.permission.disabled': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'app.update.enabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
})

export async function startFirefox(hertz: number) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-firefox-'))
  const lines = Object.entries(preferences(hertz)).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  await writeFile(join(folder, 'user.js'), lines.join('\n'))
  const site = await openSite()
  const args = ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0']
  const program = startProgram('env', [`HOME=${folder}`, 'firefox-esr', ...args], folder)

  async function stop() {
    await program.stop()
    site.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  try {
    const address = await vi.waitFor(
      () => {
        const found = /WebDriver BiDi listening on (ws:\S+)/.exec(program.said())?.[1]
        if (!found) throw new Error(`Firefox does not start: ${program.said()}`)
        return found
      },
      { timeout: 60_000, interval: 50 },
    )
    const driver = await openBidi(`${address}/session`)
    await driver.command('session.new', { capabilities: {} })
    return {
      async openPhone(options: PhoneOptions) {
        const { context } = await driver.command<{ context: string }>('browsingContext.create', {
          type: 'tab',
        })
        await driver.command('browsingContext.navigate', { context, url: site.url, wait: 'complete' })
        const evaluate = <T>(expression: string) => driver.evaluate<T>(context, expression)
        const close = () => driver.command('browsingContext.close', { context })
        return await startWebPhone({ evaluate, close }, options)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type Message = { id?: number; type: string; result?: unknown; message?: string }
type Evaluated = { type: string; result?: { value?: string }; exceptionDetails?: { text: string } }

async function openBidi(url: string) {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const waiting = new Map<number, (message: Message) => void>()
  let commands = 0
  socket.on('message', (data) => {
    const message: Message = JSON.parse(String(data))
    if (message.id !== undefined) waiting.get(message.id)?.(message)
  })

  async function command<T>(method: string, params: object): Promise<T> {
    commands += 1
    const id = commands
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { type, result, message } = await answer
    waiting.delete(id)
    if (type === 'error') throw new Error(`${method}: ${message}`)
    return result as T
  }

  async function evaluate<T>(context: string, code: string): Promise<T> {
    const expression = `(async () => JSON.stringify((await (${code})) ?? null))()`
    const target = { context }
    const evaluated = await command<Evaluated>('script.evaluate', { expression, target, awaitPromise: true })
    if (evaluated.type !== 'success') throw new Error(evaluated.exceptionDetails?.text)
    return JSON.parse(evaluated.result?.value ?? 'null')
  }

  return { command, evaluate }
}
