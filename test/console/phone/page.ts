/** The console in Chromium or in Firefox, used by mouse and keyboard. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { type Microphone, startFirefox } from '../../sip/peers/browser/firefox.ts'
import { toneFile } from '../../sip/peers/browser/tone-file.ts'
import { ears, openConsole, startChromium } from '../console-browser.ts'

export type ConsolePage = {
  goto(path: string): Promise<void>
  /** The value of an expression, or what its promise resolves to, as JSON carries it. */
  evaluate<T>(expression: string): Promise<T>
  /** A button, by its name, inside the part of the page. */
  click(name: string, part?: string): Promise<void>
  /** Into the field that the selector finds. */
  type(selector: string, text: string): Promise<void>
  /** A key, with nothing focused but the page. */
  press(key: string): Promise<void>
  /** The title of the notification that is shown; with its buttons, where the browser has them. */
  notification(): Promise<string | undefined>
  /** On a button of it, by its name, or beside them. */
  clickNotification(button?: string): Promise<void>
  /** Puts another tab before the page; what is returned takes it away. */
  cover(): Promise<() => Promise<void>>
  close(): Promise<unknown>
}

export type ConsoleBrowser = {
  open(url: string): Promise<ConsolePage>
  stop(): Promise<unknown>
}

/** In Firefox, a browser without buttons in notifications. Keeps those of the page, so that a test can click on them. */
const notifications = `
  const Shown = window.Notification
  window.shownNotifications = []
  window.Notification = class extends Shown {
    static get maxActions() {
      return 0
    }
    constructor(title, options) {
      super(title, options)
      window.shownNotifications.push(this)
      this.addEventListener('close', () => {
        window.shownNotifications = window.shownNotifications.filter((one) => one !== this)
      })
    }
  }
`
const newest = 'window.shownNotifications.at(-1)'

/** Asked in the page: Chromium stops a service worker that has nothing to do (D642). */
const shown = `navigator.serviceWorker.getRegistration()
  .then((worker) => worker?.getNotifications() ?? [])
  .then(([one]) => one && [one.title, ...one.actions.map(({ title }) => title)].join(' | '))`
/** In the service worker, which has just shown it. */
const clickOnShown = (
  button: string | undefined,
) => `self.registration.getNotifications().then(([notification]) => {
  const action = notification.actions.find(({ title }) => title === ${JSON.stringify(button)})?.action ?? ''
  self.dispatchEvent(new NotificationEvent('notificationclick', { notification, action }))
})`

export async function startChromiumConsole(microphone: Microphone): Promise<ConsoleBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-microphone-'))
  const file = join(folder, 'microphone.wav')
  await writeFile(file, toneFile(microphone.hertz))
  const answer = microphone.isRefused ? ['--use-fake-ui-for-media-stream=deny'] : []
  const browser = await startChromium(`--use-file-for-fake-audio-capture=${file}`, ...answer)
  return {
    async open(url) {
      const look = { locale: 'pt-BR', colorScheme: 'light', width: 1280 } as const
      const { context, page } = await openConsole(browser, url, look)
      await context.grantPermissions(
        microphone.isRefused ? ['notifications'] : ['notifications', 'microphone'],
      )
      return {
        goto: async (path) => void (await page.goto(path)),
        evaluate: (expression) => page.evaluate(expression),
        click: (name, part = 'body') =>
          page.locator(part).getByRole('button', { name, exact: true }).first().click(),
        type: (selector, text) => page.locator(selector).fill(text),
        press: (key) => page.keyboard.press(key),
        notification: () => page.evaluate<string | undefined>(shown),
        clickNotification: async (button) => {
          await context.serviceWorkers().at(-1)?.evaluate(clickOnShown(button))
        },
        async cover() {
          const other = await context.newPage()
          // Headless, a page stays visible under another one.
          await page.evaluate(
            `Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })`,
          )
          return async () => {
            await other.close()
            await page.evaluate('delete document.hidden')
          }
        },
        close: () => context.close(),
      }
    },
    async stop() {
      await browser.close()
      await rm(folder, { recursive: true })
    },
  }
}

type Node = { sharedId: string }
/** As WebDriver names it. */
const enter = '\uE007'

export async function startFirefoxConsole(microphone: Microphone): Promise<ConsoleBrowser> {
  const firefox = await startFirefox(microphone)
  const functionDeclaration = `() => { ${ears} ${notifications} }`
  await firefox.command('script.addPreloadScript', { functionDeclaration })
  return {
    async open(url) {
      const context = await firefox.openTab('about:blank')
      const viewport = { width: 1280, height: 860 }
      await firefox.command('browsingContext.setViewport', { context, viewport })

      async function find(locator: object, startNodes?: Node[]): Promise<Node> {
        const input = { context, locator, maxNodeCount: 1, ...(startNodes && { startNodes }) }
        return await vi.waitFor(
          async () => {
            const { nodes } = await firefox.command<{ nodes: Node[] }>('browsingContext.locateNodes', input)
            const [found] = nodes
            if (!found) throw new Error(`not in the page: ${JSON.stringify(locator)}`)
            return found
          },
          { timeout: 30_000, interval: 50 },
        )
      }

      async function clickOn(element: Node) {
        const origin = { type: 'element', element }
        const actions = [
          { type: 'pointerMove', x: 0, y: 0, origin },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ]
        const pointer = { type: 'pointer', id: 'mouse', actions }
        await firefox.command('input.performActions', { context, actions: [pointer] })
      }

      async function press(...keys: string[]) {
        const actions = keys.flatMap((value) => [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ])
        const keyboard = { type: 'key', id: 'keyboard', actions }
        await firefox.command('input.performActions', { context, actions: [keyboard] })
      }

      return {
        async goto(path) {
          const address = new URL(path, url).href
          await firefox.command('browsingContext.navigate', { context, url: address, wait: 'complete' })
        },
        evaluate: (expression) => firefox.evaluate(context, expression),
        async click(name, part) {
          const start = part === undefined ? undefined : [await find({ type: 'css', value: part })]
          await clickOn(await find({ type: 'accessibility', value: { role: 'button', name } }, start))
        },
        async type(selector, text) {
          await clickOn(await find({ type: 'css', value: selector }))
          await press(...text)
        },
        press: (key) => press(key === 'Enter' ? enter : key),
        notification: async () =>
          (await firefox.evaluate<string | null>(context, `${newest}?.title ?? null`)) ?? undefined,
        clickNotification: async () =>
          void (await firefox.evaluate(context, `void ${newest}.dispatchEvent(new Event('click'))`)),
        async cover() {
          const other = await firefox.openTab('about:blank')
          return async () => void (await firefox.command('browsingContext.close', { context: other }))
        },
        close: () => firefox.command('browsingContext.close', { context }),
      }
    },
    stop: firefox.stop,
  }
}
