/** D290: the HTTP port with a certificate of the operator's, here a self-signed one. */
import { spawn } from 'node:child_process'
import type { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, Agent as HttpsAgent } from 'node:https'
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { checkHttps } from '../../../src/cli/doctor/doctor-https.ts'
import { findSipServer } from '../../../src/cli/phone/find-sip-server.ts'
import { readConfig } from '../../../src/config.ts'
import { basePath } from '../../../src/http/entry.ts'
import { trustIn } from '../../../src/kit/process/tls-files.ts'
import { createClient } from '../../helpers/service/client.ts'
import { followPayments, payAtSandbox, pix } from '../../helpers/service/money.ts'
import { mailedLink, newSignup } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { writeTlsFiles } from '../../sip/peers/tls-files.ts'

let files: Awaited<ReturnType<typeof writeTlsFiles>>
let service: Service
let api: ReturnType<typeof createClient>
let dispatcher: Agent

beforeAll(async () => {
  files = await writeTlsFiles()
  const settings = {
    HTTP_TLS_CERT: files.cert,
    HTTP_TLS_KEY: files.key,
    SIP_TLS_CERT: files.cert,
    SIP_TLS_KEY: files.key,
    SIP_PORT: '0',
    SIP_WS_PORT: '0',
    SIP_TLS_PORT: '0',
    RTP_PORTS: '23000-23999',
  }
  service = await startService(settings, { engine: undefined })
  dispatcher = new Agent({ connect: trust() })
  api = createClient(`${service.url}${basePath}`, trusting)
})
afterAll(async () => {
  await dispatcher?.close()
  await service?.stop()
  await files?.stop()
})

const trusting = ((url: string, init: object) =>
  fetch(url, { ...init, dispatcher })) as unknown as typeof globalThis.fetch
const trust = () => trustIn({ cert: files.certificate.toString() })
const port = () => Number(new URL(service.url).port)

async function openAccount() {
  const signup = newSignup()
  await api.post('/accounts/signup', signup)
  const link = await mailedLink(service, signup.email)
  expect(link).toMatch(/^https:\/\/localhost:\d+\//)
  await fetch(link, { method: 'POST', dispatcher })
  const { body } = await api.post('/users/login', { email: signup.email, password: signup.password })
  return { token: String(body.id) }
}

test('the service says https and wss of itself, and web phones reach it there', async () => {
  expect(service.url).toMatch(/^https:\/\/localhost:\d+$/)
  const addresses = await (await fetch(`${service.url}/addresses`, { dispatcher })).json()
  expect(addresses).toMatchObject({ 'Web phones': `wss://localhost:${port()}/sip` })
  expect((await api.get('/openapi.json')).body.servers).toEqual([{ url: `${service.url}${basePath}` }])
  const socket = new WebSocket(`wss://localhost:${port()}/sip`, 'sip', { rejectUnauthorized: false })
  await once(socket, 'open')
  expect(socket.protocol).toBe('sip')
  socket.terminate()
})

test('a request without TLS gets no answer, and the port stays open', async () => {
  await expect(globalThis.fetch(`http://localhost:${port()}/health`)).rejects.toThrow()
  expect((await fetch(`${service.url}/health`, { dispatcher })).status).toBe(200)
})

test('payments of the sandbox are credited: its events reach our webhook, whatever the certificate', async () => {
  const who = await openAccount()
  const { body } = await api.post('/charges', pix, who)
  await payAtSandbox(body.paymentLink, trusting)
  await expect
    .poll(async () => {
      await followPayments(service)
      return (await api.get('/credits/balance', who)).body.balance
    })
    .toBe(110)
})

test('ramal phone finds the service, and ramal doctor checks the certificate', async () => {
  const own = { PORT: String(port()), HTTP_TLS_CERT: files.cert, HTTP_TLS_KEY: files.key }
  const { SIP: address } = service.app.phoneAddresses()
  expect(await findSipServer(readConfig(own), 'udp', undefined)).toBe(address)
  await expect(findSipServer(readConfig({}), 'udp', service.url)).rejects.toThrow(
    /with a certificate that is trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
  )
  const ends = files.certificate.validToDate
  const day = ends.toISOString().slice(0, 10)
  const check = (at: number, more = {}) => checkHttps(readConfig({ ...own, ...more }), at)
  expect(await check(ends.getTime() - 30 * 86_400_000)).toEqual([
    { fine: true, sentence: `the certificate is valid until ${day}` },
  ])
  expect(await check(ends.getTime() + 1, { PUBLIC_URL: 'https://voice.example' })).toEqual([
    { fine: false, sentence: `the certificate ended on ${day}: renew it` },
    { fine: false, sentence: 'the certificate is not for voice.example, the host of PUBLIC_URL' },
  ])
})

test('one of the two settings alone is refused', () => {
  expect(() => readConfig({ HTTP_TLS_CERT: files.cert })).toThrow(
    'HTTPS needs both HTTP_TLS_CERT and HTTP_TLS_KEY.',
  )
})

test('renewed files are used for new connections of HTTPS and SIP; those that are open stay', async () => {
  const agent = new HttpsAgent({ keepAlive: true, maxSockets: 1, ...trust() })
  const first = await askOn(agent)
  const renewed = await files.renew()
  const { SIP: _, 'SIP TLS': sip = '' } = service.app.phoneAddresses()
  for (const at of [port(), Number(sip.split(':')[1])]) {
    await expect.poll(() => shownAt(at)).toBe(renewed.fingerprint256)
  }
  expect(await askOn(agent)).toBe(first)
  agent.destroy()
  expect(readFileSync(files.cert, 'utf8')).toBe(renewed.toString())
})

/** The local port of the connection that was used. */
function askOn(agent: HttpsAgent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${service.url}/health`, { agent }, (response) => {
      const { localPort } = response.socket
      response.resume().once('end', () => resolve(localPort))
    }).once('error', reject)
  })
}

/** The fingerprint of the certificate that a new connection is shown. */
async function shownAt(at: number): Promise<X509Certificate['fingerprint256']> {
  const socket: TLSSocket = connect({ host: '127.0.0.1', port: at, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const shown: PeerCertificate = socket.getPeerCertificate()
  socket.destroy()
  return shown.fingerprint256
}

test('the health check of the image reaches it, whatever the name in its certificate', async () => {
  const check = async (settings: Record<string, string>) => {
    const env = { HOST: '0.0.0.0', PORT: String(port()), ...settings }
    const [code] = await once(spawn(process.execPath, ['bin/health.js'], { env }), 'exit')
    return code
  }
  expect(await check({ HTTP_TLS_CERT: files.cert })).toBe(0)
  expect(await check({})).toBe(1)
})
