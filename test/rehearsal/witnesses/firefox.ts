/** Firefox as it comes, over WebDriver BiDi: headless, with a microphone that plays a tone and may be used. */
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram } from '../../sip/peers/program.ts'
import { eventually } from '../runner/polling.ts'
import { need } from '../runner/programs.ts'
import { type Driver, openDriver } from './bidi.ts'
import { ears, type Tab } from './tab.ts'

/** A fake microphone and its permission; the rest keeps Firefox from asking servers of its maker. */
const preferences = (hertz: number) => ({
  'media.navigator.streams.fake': true,
  'media.navigator.audio.fake_frequency': hertz,
  // "Allow" in the settings of the person.
  'permissions.default.microphone': 1,
  'app.update.enabled': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
})

export async function startFirefox(hertz: number) {
  need('firefox-esr')
  const folder = await mkdtemp(join(tmpdir(), 'ramal-firefox-'))
  const lines = Object.entries(preferences(hertz)).map(
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
    const address = await eventually(() => /WebDriver BiDi listening on (ws:\S+)/.exec(program.said())?.[1], {
      within: 60_000,
      what: 'the port of Firefox',
    })
    const driver = await openDriver(`${address}/session`)
    await driver.command('session.new', { capabilities: {} })
    await driver.command('script.addPreloadScript', { functionDeclaration: `() => {${ears}}` })
    return { openTab: () => openTab(driver, join(folder, 'Downloads')), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** With cookies of its own: a container. `saved` is the folder of the files that were downloaded. */
async function openTab(driver: Driver, saved: string): Promise<Tab> {
  const { userContext } = await driver.command<{ userContext: string }>('browser.createUserContext', {})
  const wanted = { type: 'tab', userContext }
  const { context } = await driver.command<{ context: string }>('browsingContext.create', wanted)
  const click = (code: string, what: string) =>
    eventually(async () => (await driver.click(context, code)) || undefined, { what })
  const press = async (name: string, part = 'body') => {
    const code = `(${findButton})(${JSON.stringify(name)}, ${JSON.stringify(part)})`
    await click(code, `the button ${name}`)
  }
  const isThere = async (selector: string) =>
    await driver.evaluate<boolean>(context, `document.querySelector(${JSON.stringify(selector)}) !== null`)
  return {
    open: async (url) =>
      void (await driver.command('browsingContext.navigate', { context, url, wait: 'complete' })),
    async fill(label, text) {
      await click(`(${findField})(${JSON.stringify(label)})`, `the field ${label}`)
      await driver.control(context, 'a')
      await driver.type(context, text)
    },
    press,
    keys: (text) => driver.type(context, text),
    control: (key) => driver.control(context, key),
    see: async (selector) =>
      void (await eventually(async () => (await isThere(selector)) || undefined, { what: selector })),
    gone: async (selector) =>
      void (await eventually(async () => !(await isThere(selector)) || undefined, {
        what: `the end of ${selector}`,
      })),
    evaluate: (expression) => driver.evaluate(context, expression),
    async download(link) {
      const before = await filesIn(saved)
      await press(link)
      const look = async () => {
        const name = (await filesIn(saved)).find((file) => !before.includes(file) && !file.endsWith('.part'))
        const file = join(saved, name ?? '')
        // Empty until the part file is moved there.
        return name !== undefined && (await stat(file)).size > 0 ? file : undefined
      }
      return await eventually(look, { what: 'the file' })
    },
    screenshot: (path) => driver.screenshot(context, path),
    close: async () => void (await driver.command('browsingContext.close', { context })),
  }
}

/** The folder may not be there yet. */
const filesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

const findField = `(label) => [...document.querySelectorAll('input, textarea')].findLast((field) =>
  field.checkVisibility() && (field.getAttribute('aria-label') === label ||
    [...(field.labels ?? [])].some(({ textContent }) => textContent.trim() === label)))`

const findButton = `(name, part) => [...(document.querySelector(part)?.querySelectorAll('button, a') ?? [])].find((button) =>
  button.checkVisibility() && !button.disabled &&
    (button.getAttribute('aria-label') ?? button.textContent).trim() === name)`
