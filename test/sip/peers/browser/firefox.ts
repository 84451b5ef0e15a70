/** Firefox with its default preferences, but a microphone that is a tone, and no requests of its own to the network. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { startProgram } from '../program.ts'
import { openBidi } from './bidi.ts'
import { openSite, type PhoneOptions, startWebPhone } from './site.ts'

export type Microphone = { hertz: number; isRefused?: boolean }

/** In the settings of the browser: pages may use a device, or are refused it. */
const allowed = 1
const refused = 2

const preferences = (microphone: Microphone) => ({
  'permissions.default.microphone': microphone.isRefused ? refused : allowed,
  'media.navigator.audio.fake_frequency': microphone.hertz,
  'permissions.default.desktop-notification': allowed,
  'media.navigator.streams.fake': true,
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

export async function startFirefox(microphone: Microphone) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-firefox-'))
  const lines = Object.entries(preferences(microphone)).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  )
  await writeFile(join(folder, 'user.js'), lines.join('\n'))
  const args = ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0']
  const program = startProgram('env', [`HOME=${folder}`, 'firefox-esr', ...args], folder)

  async function stop() {
    await program.stop()
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
    const { command, evaluate } = await openBidi(`${address}/session`)
    await command('session.new', { capabilities: {} })
    return {
      command,
      evaluate,
      async openTab(url: string): Promise<string> {
        const { context } = await command<{ context: string }>('browsingContext.create', { type: 'tab' })
        await command('browsingContext.navigate', { context, url, wait: 'complete' })
        return context
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Firefox with a web phone. */
export async function startFirefoxPhone(hertz: number) {
  const site = await openSite()
  const firefox = await startFirefox({ hertz })
  return {
    async openPhone(options: PhoneOptions) {
      const context = await firefox.openTab(site.url)
      const evaluate = <T>(expression: string) => firefox.evaluate<T>(context, expression)
      const close = () => firefox.command('browsingContext.close', { context })
      return await startWebPhone({ evaluate, close }, options)
    },
    async stop() {
      await firefox.stop()
      site.close()
    },
  }
}
