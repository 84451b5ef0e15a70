/** The TypeScript client in a page of another origin, loaded over plain HTTP, as a browser loads its files. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startChromium } from '../console/console-browser.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { openAccount } from '../helpers/service/people.ts'
import { startService } from '../helpers/service/service.ts'
import { installClient } from './packed-clients.ts'

const page = (script: string) => `<!doctype html>
<script type="importmap">{ "imports": { "@ramal/client": "/index.js" } }</script>
<script type="module">${script}</script>`

const program = (url: string, email: string, password: string) => `
  import { AuthenticationError, NotFoundError, Ramal, webhooks } from '@ramal/client'
  const ramal = new Ramal({ baseUrl: '${url}' })
  const wrong = await ramal.login({ email: '${email}', password: 'another one' }).catch((error) => error)
  await ramal.login({ email: '${email}', password: '${password}' })
  const created = await ramal.extensions.create({
    ramal: '1000', senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza', email_address: '${email}',
  })
  const calls = []
  for await (const call of ramal.calls.list({ where: { from: '1000' } })) calls.push(call)
  const id = '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'
  const missing = await ramal.calls.recording(id).catch((error) => error)
  const refused = await webhooks.verify('{}', new Headers(), 'whsec_AAAA').catch(({ reason }) => reason)
  window.outcome = {
    wrong: wrong instanceof AuthenticationError,
    email: (await ramal.users.me()).email,
    calls,
    // Pages over plain HTTP lack parts of the browser, such as crypto.randomUUID.
    isSecure: isSecureContext,
    created: created.ramal,
    missing: missing instanceof NotFoundError,
    // From a header that CORS must expose.
    hasRequestId: typeof missing.requestId === 'string',
    refused,
  }`

test.skipIf(programMissing('chromium'))('the TypeScript client works in a browser', async () => {
  const service = await startService()
  onTestFinished(() => service.stop())
  const { email, password } = await openAccount(service)
  const client = await installClient('typescript')
  onTestFinished(() => client.remove())
  const site = createServer(({ url = '/' }, response) => {
    const file = url.slice(1)
    if (file === '')
      response.setHeader('content-type', 'text/html').end(page(program(service.url, email, password)))
    else if (/^\w[\w-]*\.js$/.test(file))
      response
        .setHeader('content-type', 'text/javascript')
        .end(readFileSync(join(client.home, 'node_modules/@ramal/client/dist', file)))
    else response.writeHead(404).end()
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  onTestFinished(() => void site.close())
  const browser = await startChromium('--host-resolver-rules=MAP crm.example 127.0.0.1')
  onTestFinished(() => browser.close())
  const tab = await browser.newPage()
  const errors: string[] = []
  tab.on('pageerror', ({ message }) => errors.push(message))
  await tab.goto(`http://crm.example:${(site.address() as AddressInfo).port}/`)
  const outcome = await tab
    .waitForFunction('window.outcome', undefined, { timeout: 60_000 })
    .then((found) => found.jsonValue())
    .catch(() => errors)
  expect(outcome).toEqual({
    wrong: true,
    email,
    calls: [],
    isSecure: false,
    created: '1000',
    missing: true,
    hasRequestId: true,
    refused: 'headers',
  })
})
