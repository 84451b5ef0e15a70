/** Requests whose bodies do not arrive: they hold nothing that others need (D470). */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

const maxRequests = 20
const openRoutes = ['/users/reset', '/users/resend-confirmation', '/users/set-password', '/accounts/signup']

let service: Service
let office: Awaited<ReturnType<typeof openAccount>>
const sockets: Socket[] = []

beforeAll(async () => {
  service = await startService({ MAX_REQUESTS: String(maxRequests), TRUST_PROXY: '127.0.0.1' })
  office = await openAccount(service)
}, 60_000)
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await service.stop()
})

type Unfinished = { path: string; address: string; token?: string }

/** Resolves when the service has read the head: it answers 100. */
async function sendUnfinished({ path, address, token }: Unfinished) {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.on('error', () => {})
  sockets.push(socket)
  const lines = [
    `POST /api/v1${path} HTTP/1.1`,
    'Host: localhost',
    `X-Forwarded-For: ${address}`,
    ...(token === undefined ? [] : [`Authorization: ${token}`]),
    'Content-Type: application/json',
    'Content-Length: 900',
    'Expect: 100-continue',
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  socket.write('{')
  return socket
}

/** Another account asks, and sends a body. */
async function askAsOther() {
  const { status: me } = await service.api.get('/users/me', office)
  const extension = String(2000 + sockets.length)
  const created = await service.api.post(
    '/extensions',
    {
      ramal: extension,
      senha: 'a secret of hers',
      first_name: 'Bia',
      last_name: 'Lima',
      email_address: 'bia@aurora.example',
      gravar_audio: 0,
    },
    office,
  )
  return [me, created.status]
}

describe('D470: unfinished bodies do not keep others out', () => {
  test('of eight addresses without an account', async () => {
    await Promise.all(
      Array.from({ length: 4 * maxRequests }, (_, n) =>
        sendUnfinished({ path: openRoutes[n % 4] ?? '', address: `192.0.2.${1 + (n % 8)}` }),
      ),
    )
    expect(await askAsOther()).toEqual([200, 200])
  })

  test('of one account, whatever addresses it uses', async () => {
    const { token } = await openAccount(service)
    await Promise.all(
      Array.from({ length: 4 * maxRequests }, (_, n) =>
        sendUnfinished({ path: '/users', address: `198.51.100.${n}`, token }),
      ),
    )
    expect(await askAsOther()).toEqual([200, 200])
  })
})
