/** Each client, installed from its package, used in the way of its language. */
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { programMissing } from '../helpers/programs/programs.ts'
import { findNode } from '../release/node-versions.ts'
import { type InstalledClient, installClient, type Language } from './packed-clients.ts'
import { type ScriptedAnswer, startScriptedService } from './scripted-service.ts'

const installed = new Map<Language, Promise<InstalledClient>>()
function clientOf(language: Language): Promise<InstalledClient> {
  const found = installed.get(language) ?? installClient(language)
  installed.set(language, found)
  return found
}
afterAll(async () => {
  for (const client of installed.values()) (await client).remove()
})

/** Runs a program, for which BASE is the URL of a service that gives these answers, each asked for once. */
async function run(
  language: Language,
  program: string,
  answers: ScriptedAnswer[],
  env: Record<string, string> = {},
) {
  const service = await startScriptedService([answers])
  onTestFinished(() => service.stop())
  const output = await (await clientOf(language)).runProgram(program, '', { BASE: service.urlOf(0), ...env })
  expect(service.scripts[0]?.problems()).toEqual([])
  return output
}

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"eventType":"channel-hangup","id":"c1"}'
const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
const signature = `v1,${createHmac('sha256', key).update(`msg_1.1763209800.${body}`).digest('base64')}`

const recording = { method: 'GET', path: '/calls/c1/recording' }
const login = { expect: { method: 'POST', path: '/users/login' }, body: { id: 'new', ttl: 60 } }

describe('the TypeScript client', () => {
  test('has types that a strict program compiles with, in Node and in a browser', async () => {
    const { home } = await clientOf('typescript')
    const program = `
      import { CallAlreadyRingingError, Ramal, type WebhookEvent, webhooks } from '@ramal/client'
      const ramal = new Ramal<{ lead: number }>({ baseUrl: 'http://localhost:3000' })
      for await (const call of ramal.calls.list({ where: { from: '1000' } })) call.metadata.lead.toFixed()
      const me: { email: string } = await ramal.request('GET', '/users/me')
      const event: WebhookEvent = await webhooks.verify(new Uint8Array(), {}, 'whsec_')
      if (event.eventType === 'channel-hangup') event.hangupCause.trim()
      const error: unknown = new Error(me.email)
      if (error instanceof CallAlreadyRingingError) error.callId.trim()
      export const stream: ReadableStream<Uint8Array> | null = (await ramal.calls.recording('c1')).body
    `
    writeFileSync(join(home, 'typed.mts'), program)
    const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url))
    const compile = (...options: string[]) =>
      execFileSync(
        join(modules, '.bin/tsc'),
        ['--strict', '--noEmit', '--target', 'es2022', ...options, 'typed.mts'],
        { cwd: home, encoding: 'utf8' },
      )
    const ofNode = ['--lib', 'es2022', '--types', 'node', '--typeRoots', join(modules, '@types')]
    expect(compile(...ofNode, '--module', 'nodenext')).toBe('')
    const ofBrowser = ['--lib', 'es2022,dom,dom.asynciterable', '--types', '']
    expect(compile(...ofBrowser, '--module', 'esnext', '--moduleResolution', 'bundler')).toBe('')
  })

  test('places, waits and verifies on Node 20, the oldest that its package names', async (context) => {
    const node = findNode('20.20.2')
    if (node === undefined) return context.skip()
    const program = `
      import { Ramal, webhooks } from '@ramal/client'
      const ramal = new Ramal({ baseUrl: process.env.BASE, retryDelay: 1 })
      const { signal } = new AbortController()
      const { id } = await ramal.calls.place({ extension: '1000', called: '190' }, { signal })
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': '1763209800', 'webhook-signature': '${signature}' }
      const event = await webhooks.verify('${body}', headers, '${secret}', { now: 1763209800 })
      for await (const call of ramal.calls.waitForEnds([id], { signal })) console.log(process.version, call.id, event.id)`
    const place = { method: 'POST', path: '/calls', headers: { 'idempotency-key': '$key' } }
    const answers: ScriptedAnswer[] = [
      { expect: place, status: 503 },
      { expect: place, body: { id: 'c1' } },
      { expect: { method: 'GET', path: '/calls/updated' }, body: { data: [], cursor: 'k', more: false } },
      { expect: { method: 'GET', path: '/calls/c1' }, body: { id: 'c1', ended_at: '2026-11-15T12:31:00Z' } },
    ]
    const PATH = [dirname(node), process.env.PATH].join(delimiter)
    expect(await run('typescript', program, answers, { PATH })).toBe('v20.20.2 c1 c1\n')
  })

  test('a signal ends the wait before a retry, and a stream that has begun', async () => {
    const program = `
      import { Ramal } from '@ramal/client'
      const first = new AbortController()
      const fetchOnce = async (...args) => {
        const response = await fetch(...args)
        setTimeout(() => first.abort(new Error('enough')), 50)
        return response
      }
      const ramal = new Ramal({ baseUrl: process.env.BASE, fetch: fetchOnce })
      console.log(await ramal.calls.get('c1', { signal: first.signal }).catch(({ message }) => message))
      const second = new AbortController()
      const { body } = await ramal.calls.recording('c1', { signal: second.signal })
      second.abort(new Error('enough of that'))
      console.log(await new Response(body).text().catch(({ message }) => message))`
    const away: ScriptedAnswer = {
      expect: { method: 'GET', path: '/calls/c1' },
      status: 503,
      headers: { 'retry-after': '50' },
    }
    const sound = { expect: recording, raw: 'x'.repeat(10_000_000) }
    expect(await run('typescript', program, [away, sound])).toBe('enough\nenough of that\n')
  })

  test('verifies with the Headers of a Request, and bytes of any kind', async () => {
    const program = `
      import { webhooks } from '@ramal/client'
      const headers = { 'Webhook-Id': 'msg_1', 'webhook-timestamp': '1763209800', 'webhook-signature': ['v1,AA', '${signature}'] }
      const request = new Request('http://localhost/', { method: 'POST', body: '${body}' })
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, [value].flat().join(' '))
      const now = 1763209800
      console.log((await webhooks.verify(await request.arrayBuffer(), request.headers, '${secret}', { now })).id)
      console.log((await webhooks.verify('${body}', headers, '${secret}', { now })).id)`
    expect(await run('typescript', program, [])).toBe('c1\nc1\n')
  })
})

describe.skipIf(programMissing('python3'))('the Python client', () => {
  test('ends the token that it got when its with block is left, by an exception too', async () => {
    const program = `
import os
from ramal import Ramal
try:
    with Ramal(os.environ["BASE"]) as ramal:
        ramal.login("ana@aurora.example", "correct horse")
        raise KeyError("of the program")
except KeyError:
    print(ramal.token)
with Ramal(os.environ["BASE"], "a token of somebody else's making") as ramal:
    print(ramal.token)
`
    const logout: ScriptedAnswer = { expect: { method: 'POST', path: '/users/logout' }, status: 204 }
    expect(await run('python', program, [login, logout])).toBe("None\na token of somebody else's making\n")
  })

  test('takes the fields of a record as keywords, as one dictionary, or both', async () => {
    const program = `
import os
from ramal import Ramal
ramal = Ramal(os.environ["BASE"])
ramal.integrations.save({"gateway": "crm", "metadata": {}})
ramal.integrations.save({"gateway": "crm"}, id=7)
ramal.extensions.create({"ramal": "1000"}, senha="x", idempotency_key="k")
ramal.calls.place("1000", "190")
`
    const saved = (body: object): ScriptedAnswer => ({
      expect: { method: 'PATCH', path: '/integrations', body },
      body: {},
    })
    const posted = (path: string, body: object): ScriptedAnswer => ({
      expect: { method: 'POST', path, body },
      body: {},
    })
    await run('python', program, [
      saved({ gateway: 'crm', metadata: {} }),
      saved({ gateway: 'crm', id: 7 }),
      posted('/extensions', { ramal: '1000', senha: 'x' }),
      posted('/calls', { extension: '1000', called: '190' }),
    ])
  })

  test('verifies with the headers of http.server', async () => {
    const program = `
from email.message import Message
from ramal import webhooks
headers = Message()
headers["Webhook-Id"], headers["Webhook-Timestamp"], headers["Webhook-Signature"] = "msg_1", "1763209800", "${signature}"
print(webhooks.verify(b'${body}', headers, "${secret}", now=1763209800)["id"])
`
    expect(await run('python', program, [])).toBe('c1\n')
  })
})

describe.skipIf(programMissing('php'))('the PHP client', () => {
  test('writes a recording once: what broke off is an error, and not begun again behind it', async () => {
    const program = `<?php
require 'vendor/autoload.php';
$ramal = new Ramal\\Client(getenv('BASE'), retryDelay: 0.01);
$file = fopen('php://temp', 'w+b');
try {
    $ramal->calls->recording('c1', $file);
} catch (Ramal\\Exception\\NetworkException $error) {
    rewind($file);
    echo base64_encode(stream_get_contents($file)), "\\n";
}`
    const sound: ScriptedAnswer = { expect: recording, base64: 'UklGRg==', cut: true }
    expect(await run('php', program, [sound])).toBe('UklGRg==\n')
  })

  test('verifies with $_SERVER, and is loaded without Composer', async () => {
    const program = `<?php
require 'vendor/ramal/client/autoload.php';
$server = ['HTTP_WEBHOOK_ID' => 'msg_1', 'HTTP_WEBHOOK_TIMESTAMP' => '1763209800', 'HTTP_WEBHOOK_SIGNATURE' => '${signature}'];
echo Ramal\\Webhooks::verify('${body}', $server, '${secret}', now: 1763209800)['id'], "\\n";`
    expect(await run('php', program, [])).toBe('c1\n')
  })
})

describe('a client with a wrong address', () => {
  const programs: Record<Language, string> = {
    typescript: `
      import { Ramal } from '@ramal/client'
      for (const baseUrl of [process.env.NOWHERE, 'localhost:3000', 'ftp://localhost'])
        try { new Ramal({ baseUrl }) } catch (error) { console.log(error.message) }`,
    python: `
from ramal import Ramal
for base_url in (None, "localhost:3000", "ftp://localhost"):
    try:
        Ramal(base_url)
    except ValueError as error:
        print(error)`,
    php: `<?php
require 'vendor/autoload.php';
foreach (['', 'localhost:3000', 'ftp://localhost'] as $baseUrl) {
    try { new Ramal\\Client($baseUrl); } catch (InvalidArgumentException $error) { echo $error->getMessage(), "\\n"; }
}`,
  }
  const present = (['typescript', 'python', 'php'] as const).filter(
    (language) => language === 'typescript' || !programMissing(language === 'python' ? 'python3' : 'php'),
  )

  test.each(present)('says what is missing or wrong: %s', async (language) => {
    const name = language === 'python' ? 'base_url' : 'baseUrl'
    const wrong = `${name} must begin with http:// or https://, such as http://localhost:3000\n`
    expect(await run(language, programs[language], [])).toBe(
      `${name} is required, such as http://localhost:3000\n${wrong}${wrong}`,
    )
  })
})
