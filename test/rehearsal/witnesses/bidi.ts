/** Mouse, keys and eyes over WebDriver BiDi. */
import { writeFile } from 'node:fs/promises'
import { openBidi } from '../../sip/peers/browser/bidi.ts'

type Found = { result?: { sharedId?: string } }

const controlKey = '\uE009'

export async function openDriver(url: string) {
  const { command, evaluate } = await openBidi(url)

  /** Whether there was an element to click. */
  async function click(context: string, code: string): Promise<boolean> {
    // A person waits until it stands still: what is above it may have been loaded in this moment.
    const expression = `(async () => {
      const found = ${code}
      found?.scrollIntoView({ block: 'center' })
      const top = () => found?.getBoundingClientRect().top
      for (let before; before !== top(); ) {
        before = top()
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      return found
    })()`
    const input = { expression, target: { context }, awaitPromise: true }
    const { result: element } = await command<Found>('script.evaluate', input)
    if (element?.sharedId === undefined) return false
    const origin = { type: 'element', element: { sharedId: element.sharedId } }
    const actions = [
      { type: 'pointerMove', x: 0, y: 0, origin },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    await command('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] })
    return true
  }

  async function control(context: string, key: string) {
    const actions = [
      { type: 'keyDown', value: controlKey },
      { type: 'keyDown', value: key },
      { type: 'keyUp', value: key },
      { type: 'keyUp', value: controlKey },
    ]
    await command('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] })
  }

  async function type(context: string, text: string) {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    await command('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] })
  }

  async function screenshot(context: string, path: string) {
    const { data } = await command<{ data: string }>('browsingContext.captureScreenshot', { context })
    await writeFile(path, Buffer.from(data, 'base64'))
  }

  return { command, evaluate, click, control, type, screenshot }
}
export type Driver = Awaited<ReturnType<typeof openDriver>>
