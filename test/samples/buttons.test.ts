/** The click-to-call buttons of samples/, in a browser. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type InstalledClient, installClient } from '../clients/packed-clients.ts'
import { startChromium } from '../console/console-browser.ts'
import { freePort } from '../helpers/programs/free-port.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { type Office, openOffice, startVoiceService, type VoiceService } from '../helpers/service/voice.ts'

const samples = fileURLToPath(new URL('../../samples/button/', import.meta.url))
const called = '+55 48 99999-0103'

let service: VoiceService
let office: Office
let client: InstalledClient
beforeAll(async () => {
  service = await startVoiceService()
  office = await openOffice(service)
  client = await installClient('typescript')
  cpSync(samples, client.home, { recursive: true })
  writeFileSync(join(client.home, 'react.html'), await reactPage())
})
afterAll(async () => {
  client.remove()
  await service.stop()
})

/** A page with the component, as a bundler makes it. */
async function reactPage(): Promise<string> {
  const entry = fileURLToPath(new URL('./button-page.jsx', import.meta.url))
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'iife' })
  await bundle.close()
  const code = output[0].code.replaceAll('</script', '<\\/script')
  return `<!doctype html><meta charset="utf-8"><div id="root"></div><script>${code}</script>`
}

async function serve(page: string, { status = 200, RAMAL_URL = service.url } = {}): Promise<string> {
  const port = await freePort()
  const child = spawn('node', ['server.mjs', page], {
    cwd: client.home,
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      EXTENSION: '1000',
      RAMAL_URL,
      RAMAL_TOKEN: office.token,
    },
    stdio: 'inherit',
  })
  onTestFinished(async () => {
    const over = once(child, 'exit')
    child.kill('SIGKILL')
    await over
  })
  const url = `http://127.0.0.1:${port}/`
  await expect.poll(async () => (await fetch(url).catch(() => undefined))?.status).toBe(status)
  return url
}

test.skipIf(programMissing('chromium')).each(['button.html', 'react.html'])(
  '%s places the call and shows its id, or why it was refused',
  async (page) => {
    const url = await serve(page)
    const browser = await startChromium()
    onTestFinished(() => browser.close())
    const tab = await browser.newPage()
    await tab.goto(url)
    const press = async () => {
      await tab.getByRole('button', { name: `Call ${called}` }).click()
      await tab.getByRole('button', { disabled: false }).waitFor()
      return await tab.locator('output').textContent()
    }
    const said = await press()
    const [, id] = /^Calling: ([0-9a-f-]{36})$/.exec(said ?? '') ?? []
    const { body: call } = await service.api.get(`/calls/${id}`, office)
    expect(call).toMatchObject({ from: '1000', to: '5548999990103' })
    // The same call while the first rings.
    expect(await press()).toContain('CALL_ALREADY_RINGING')
    await service.api.post(`/calls/${id}/hangup`, undefined, office)
    await expect
      .poll(async () => (await service.api.get(`/calls/${id}`, office)).body.ended_at)
      .not.toBeNull()
  },
)

test('a page of another site cannot place calls through the server', async () => {
  const url = await serve('button.html')
  for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }]) {
    const response = await fetch(`${url}call`, { method: 'POST', body: called, headers })
    expect(response.status).toBe(403)
  }
})

const press = (url: string) =>
  fetch(`${url}call`, { method: 'POST', body: called, headers: { 'sec-fetch-site': 'same-origin' } })

test('the server answers 502 while the service cannot be reached, and goes on', async () => {
  const url = await serve('button.html', { RAMAL_URL: `http://127.0.0.1:${await freePort()}` })
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const response = await press(url)
    expect([response.status, await response.text()]).toEqual([
      502,
      'The telephone service cannot be reached.',
    ])
  }
  expect((await fetch(url)).status).toBe(200)
})

test('the server names a page that is missing, and places calls without it', async () => {
  const url = await serve('missing.html', { status: 404 })
  expect(await (await fetch(url)).text()).toContain('There is no missing.html here')
  const response = await press(url)
  expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/^Calling: /)])
})
