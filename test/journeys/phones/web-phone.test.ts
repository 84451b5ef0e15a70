/** D239: a browser with nothing but the HTTP address of the service: it registers, is rung, talks, and is recorded. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programMissing } from '../../helpers/programs/programs.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { keep } from '../../sip/engine/engine-setup.ts'
import { startBrowser } from '../../sip/peers/browser/browser.ts'

const senha = 's3nha-do-ramal'
const microphoneHertz = 440
/** A number of the sandbox carrier that answers at once and plays 1000 Hz. */
const playingNumber = '+5548999990009'

const settings = { SIP_PORT: '0', SIP_WS_PORT: '0', RTP_PORTS: '24000-24999', TRUST_PROXY: '127.0.0.1' }

describe('SIP at /sip of the HTTP port', () => {
  let service: Service

  beforeAll(async () => {
    service = await startService(settings, { engine: undefined })
  })
  afterAll(() => service.stop())

  /** The answer to a request with these headers, as text. */
  function ask(...headers: string[]): Promise<string> {
    const { hostname, port } = new URL(service.url)
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname)
      let text = ''
      socket.setEncoding('latin1').on('data', (data) => {
        text += data
        if (text.includes('\r\n\r\n')) socket.destroy()
      })
      socket.once('close', () => resolve(text))
      socket.write([...headers, 'Host: localhost', '', ''].join('\r\n'))
    })
  }

  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='

  test('is where GET /addresses says', async () => {
    const body = await (await fetch(`${service.url}/addresses`)).json()
    expect(body).toMatchObject({ 'Web phones': `${service.url.replace('http', 'ws')}/sip` })
  })

  test('a WebSocket of the subprotocol sip is taken, and no other', async () => {
    const taken = await ask('GET /sip HTTP/1.1', ...upgrade, key, 'Sec-WebSocket-Protocol: sip')
    expect(taken).toMatch(/^HTTP\/1.1 101 .*Sec-WebSocket-Protocol: sip/is)
    expect(await ask('GET /sip HTTP/1.1', ...upgrade, key, 'Sec-WebSocket-Protocol: chat')).toMatch(
      /^HTTP\/1.1 400 /,
    )
    expect(await ask('GET /elsewhere HTTP/1.1', ...upgrade, key, 'Sec-WebSocket-Protocol: sip')).toMatch(
      /^HTTP\/1.1 404 /,
    )
  })

  test('a request that offers HTTP/2 is answered as usual', async () => {
    const answer = await ask('GET /health HTTP/1.1', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c')
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
  })

  const inBrowser = test.skipIf(programMissing('chromium'))
  inBrowser(
    'a browser registers, is rung by POST /calls, hears 1000 Hz, and its call is recorded',
    async (t) => {
      const browser = keep(t, await startBrowser(microphoneHertz))
      const account = await openAccount(service)
      const extension = {
        ramal: '1000',
        senha,
        first_name: 'Ana',
        last_name: 'Souza',
        email_address: account.email,
      }
      const { status } = await service.api.post('/extensions', { ...extension, gravar_audio: 1 }, account)
      expect(status).toBe(200)
      const page = await browser.openPhone({
        url: `${service.url.replace('http', 'ws')}/sip`,
        domain: account.domain,
        extension: '1000',
        password: senha,
      })
      await page.until('registered')
      const placed = service.api.post('/calls', { extension: '1000', called: playingNumber }, account)
      await page.until('incoming')
      await page.answer()
      expect((await placed).status).toBe(200)
      await expect
        .poll(async () => Math.round((await page.peak()).hertz / 50) * 50, { timeout: 30_000 })
        .toBe(1000)
      await page.hangUp()
      await expect
        .poll(async () => (await service.api.get('/calls?page=1', account)).body.data[0], { timeout: 30_000 })
        .toMatchObject({ hangup_cause: 'NORMAL_CLEARING', record_url: expect.stringContaining('http') })
      await page.stop()
    },
    90_000,
  )
})
