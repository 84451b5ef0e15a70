/** The part of Asterisk's REST interface that a benchmark needs: requests over keep-alive connections, events over a WebSocket. */
import { Agent, request } from 'node:http'
import { WebSocket } from 'ws'

export type AriEvent = {
  type: string
  channel?: { id: string; state: string }
  cause?: number
}

export type AriAccess = { url: string; username: string; password: string }

export async function connectAri({ url, username, password }: AriAccess, onEvent: (event: AriEvent) => void) {
  const agent = new Agent({ keepAlive: true, maxSockets: 100 })
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

  /** Rejects on a status of 400 and above, except 404: the channel or bridge is gone already. */
  function call(method: string, path: string, query: Record<string, string> = {}): Promise<void> {
    const where = `${url}${path}?${new URLSearchParams(query)}`
    return new Promise((resolve, reject) => {
      const asked = request(where, { method, agent, headers: { authorization } }, (answer) => {
        const { statusCode = 0 } = answer
        answer.resume().on('end', () => {
          if (statusCode < 400 || statusCode === 404) resolve()
          else reject(new Error(`${method} ${path}: ${statusCode}`))
        })
      })
      asked.on('error', reject).end()
    })
  }

  const events = `${url.replace(/^http/, 'ws')}/events?app=ramal&api_key=${username}:${password}`
  const socket = new WebSocket(events)
  socket.on('message', (text) => onEvent(JSON.parse(`${text}`)))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return {
    call,
    close() {
      socket.close()
      agent.destroy()
    },
  }
}
