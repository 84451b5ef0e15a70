/** The protocol by which Firefox is driven: WebDriver BiDi. */
import { once } from 'node:events'
import { WebSocket } from 'ws'

type Message = { id?: number; type: string; result?: unknown; message?: string }
type Evaluated = { type: string; result?: { value?: string }; exceptionDetails?: { text: string } }

export async function openBidi(url: string) {
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
