/** `listen` and `trigger`: events at a receiver on the developer's machine (D570), by address and token alone. */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { webhooks } from '../../../clients/typescript/src/index.ts'
import type { ApiDocument } from '../../../src/http/reference/document.ts'
import { faultsOf } from '../../helpers/description/api-description.ts'
import { freePort } from '../../helpers/programs/free-port.ts'
import { launch, runRamal } from '../../helpers/programs/ramal-process.ts'
import { answer, type Received, startReceiver } from '../../helpers/programs/receiver.ts'
import { runHere } from '../../helpers/programs/run-here.ts'
import { startTcpProxy } from '../../helpers/programs/tcp-proxy.ts'
import { hours } from '../../helpers/run/test-clock.ts'
import { announce, callOf } from '../../helpers/service/announcements.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

const root = process.env.RELEASE_UNDER_TEST ?? fileURLToPath(new URL('../../..', import.meta.url))
/** An empty folder of somebody who has the package alone. */
const laptop = mkdtempSync(join(tmpdir(), 'ramal-laptop-'))
const where = { folder: laptop, program: join(root, 'bin/ramal.js') }
/** Of another program: no setting of this service. */
const foreign = { DATABASE_URL: 'mysql://localhost/shop', PORT: 'web' }

let service: Service
let description: ApiDocument
beforeAll(async () => {
  service = await startService()
  description = (await service.api.get('/openapi.json')).body
})
afterAll(async () => {
  await service.stop()
  rmSync(laptop, { recursive: true })
})

type Env = Record<string, string>

async function openReceiver() {
  const receiver = await startReceiver()
  onTestFinished(() => receiver.stop())
  return receiver
}

/** `ramal listen`, once it listens. */
async function listen(env: Env, ...args: string[]) {
  const child = launch(['listen', ...args], { ...foreign, RAMAL_URL: service.url, ...env }, where)
  const over = once(child, 'close')
  const stop = async () => {
    child.kill('SIGINT')
    const [code] = await over
    return code
  }
  onTestFinished(async () => void (child.exitCode ?? (await stop())))
  await expect.poll(child.text).toMatch(/^Secret of the signatures: whsec_/m)
  const [, secret = ''] = /(whsec_\S+)/.exec(child.text()) ?? []
  return { secret, stop, text: child.text, lines: () => child.text().split('\n').slice(2, -1) }
}

const verified = ({ text, headers }: Received, secret: string) => webhooks.verify(text, headers, secret)
const hangUp = async ({ email }: { email: string }, metadata = '{}') => {
  const call = { ...(await callOf(service, email)), metadata }
  await announce(service, call, 'channel-answer', 'channel-hangup')
  return call.callId
}

describe('listen', () => {
  test('posts each new event as its webhook would be, signed with the printed secret, and says what was answered', async () => {
    const ana = await openAccount(service)
    const receiver = await openReceiver()
    await hangUp(ana)
    const listening = await listen({ RAMAL_TOKEN: ana.token }, '--forward-to', receiver.url)
    const id = await hangUp(ana, '{"order":12345678901234567890.10,"text":"ç \\" , ]}"}')
    const [first, second, ...more] = await receiver.until(2)
    if (!first || !second) throw new Error('two events were expected')
    expect(more).toEqual([])
    expect(await verified(first, listening.secret)).toMatchObject({ eventType: 'channel-answer', id })
    expect(await verified(second, listening.secret)).toMatchObject({ eventType: 'channel-hangup', id })
    await expect(verified(second, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).rejects.toThrow(
      'no signature fits',
    )
    expect(second.text).toContain('"metadata":{"order":12345678901234567890.10,"text":"ç \\" , ]}"}')
    expect(second.text).toMatch(/^\{"version":"1\.8","eventType":"channel-hangup"/)
    const schema =
      description.webhooks['channel-hangup']?.post?.requestBody?.content['application/json']?.schema
    expect(faultsOf(description, schema, second.body)).toEqual([])
    await expect
      .poll(listening.lines)
      .toEqual([
        expect.stringMatching(new RegExp(`^\\d\\d:\\d\\d:\\d\\d  channel-answer +${id}  200 in \\d+ ms$`)),
        expect.stringMatching(new RegExp(`^\\d\\d:\\d\\d:\\d\\d  channel-hangup +${id}  200 in \\d+ ms$`)),
      ])
    expect(await listening.stop()).toBe(0)
    expect(readdirSync(laptop)).toEqual([])
  })

  test('has the same secret for a token at every start, and another for another token', async () => {
    const [ana, rui] = [await openAccount(service), await openAccount(service)]
    const secrets: string[] = []
    for (const { token } of [ana, ana, rui]) {
      const { secret, stop } = await listen({ RAMAL_TOKEN: token })
      secrets.push(secret)
      await stop()
    }
    expect([secrets[0] === secrets[1], secrets[1] === secrets[2]]).toEqual([true, false])
    const own = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const { secret } = await listen({ RAMAL_TOKEN: ana.token, RAMAL_WEBHOOK_SECRET: own })
    expect(secret).toBe(own)
  })

  test('replays the events since a time, and only of the types that are asked for', async () => {
    const ana = await openAccount(service)
    const receiver = await openReceiver()
    await hangUp(ana)
    service.clock.advance(hours)
    const since = service.clock.now().toISOString()
    const ids = [await hangUp(ana), await hangUp(ana)]
    const only = ['--since', since, '--events', 'channel-hangup,account-alert', '--json']
    const listening = await listen({ RAMAL_TOKEN: ana.token }, '--forward-to', receiver.url, ...only)
    const received = await receiver.until(2)
    expect(received.map(({ body }) => [body.eventType, body.id])).toEqual(
      ids.map((id) => ['channel-hangup', id]),
    )
    await expect
      .poll(() => listening.lines().map((line) => JSON.parse(line)))
      .toMatchObject(ids.map((id) => ({ type: 'channel-hangup', id, status: 200, error: null })))
    expect(received).toHaveLength(2)
  })

  test('names the cursor to go on from when the receiver fails, and --after sends that event again', async () => {
    const ana = await openAccount(service)
    const receiver = await openReceiver()
    receiver.answerWith((response, { body }) =>
      answer(body.eventType === 'channel-hangup' ? 500 : 204)(response, {} as Received, {} as never),
    )
    const listening = await listen({ RAMAL_TOKEN: ana.token }, '--forward-to', receiver.url)
    const id = await hangUp(ana)
    await receiver.until(2)
    await expect.poll(listening.lines).toHaveLength(2)
    const [, cursor = ''] =
      /500 in \d+ ms: status 500 {2}\(again: --after (\d+)\)$/.exec(listening.lines()[1] ?? '') ?? []
    expect(cursor).toMatch(/^\d+$/)
    await listening.stop()
    await listen({ RAMAL_TOKEN: ana.token }, '--forward-to', receiver.url, '--after', cursor)
    const [, failed, repeated] = await receiver.until(3)
    expect(repeated?.body).toEqual(failed?.body)
    expect(repeated?.headers['webhook-id']).toBe(failed?.headers['webhook-id'])
    expect(repeated?.body.id).toBe(id)
  })

  test('names that cursor for the first event of --since, too, and says how a receiver gets the secret', async () => {
    const ana = await openAccount(service)
    const receiver = await openReceiver()
    const since = service.clock.now().toISOString()
    const id = await hangUp(ana)
    receiver.answerWith(answer(500))
    const to = ['--forward-to', receiver.url]
    const listening = await listen({ RAMAL_TOKEN: ana.token }, ...to, '--since', since)
    expect(listening.text()).toContain(`WEBHOOK_SECRET=${listening.secret})`)
    await expect.poll(listening.lines).toHaveLength(2)
    const [, cursor = ''] = /\(again: --after (\d+)\)$/.exec(listening.lines()[0] ?? '') ?? []
    await listening.stop()
    await listen({ RAMAL_TOKEN: ana.token }, ...to, '--after', cursor)
    const [first, , repeated] = await receiver.until(3)
    expect([first?.body.eventType, first?.body.id]).toEqual(['channel-answer', id])
    expect(repeated?.body).toEqual(first?.body)
  })

  test('a receiver that is not there is named in the line, and does not end it', async () => {
    const ana = await openAccount(service)
    const port = await freePort()
    const listening = await listen({ RAMAL_TOKEN: ana.token, RAMAL_FORWARD_TO: `http://127.0.0.1:${port}/` })
    await hangUp(ana)
    await expect.poll(listening.lines).toHaveLength(2)
    for (const line of listening.lines())
      expect(line).toContain(`no answer: connect ECONNREFUSED 127.0.0.1:${port}`)
    expect(await listening.stop()).toBe(0)
  })

  test('goes on where it was after the connection to the service was lost', async () => {
    const ana = await openAccount(service)
    const receiver = await openReceiver()
    const proxy = await startTcpProxy(service.url)
    onTestFinished(() => proxy.close())
    const env = { RAMAL_TOKEN: ana.token, RAMAL_URL: proxy.url }
    const listening = await listen(env, '--forward-to', receiver.url)
    const before = await hangUp(ana)
    await receiver.until(2)
    proxy.cutAll()
    await expect.poll(listening.text).toMatch(/Lost the service, and trying again: GET \S*\/events/)
    const meanwhile = await hangUp(ana)
    proxy.restore()
    const received = await receiver.until(4)
    expect(received.map(({ body }) => body.id)).toEqual([before, before, meanwhile, meanwhile])
    expect(listening.text()).toMatch(/Connected to \S+ again\./)
    expect(listening.text().match(/Lost the service/g)).toHaveLength(1)
  })

  test('ends when its token is revoked', async () => {
    const ana = await openAccount(service)
    const child = launch(['listen'], { RAMAL_URL: service.url, RAMAL_TOKEN: ana.token }, where)
    const over = once(child, 'close')
    await expect.poll(child.text).toContain('Secret of the signatures')
    await service.api.post('/users/logout', undefined, ana)
    expect(await over).toEqual([1, null])
    expect(child.text()).toMatch(/The service at \S+ refuses the token: .*\(\w+, request \S+\) Make another/)
  })

  test.each([
    [
      'a wrong token',
      { RAMAL_TOKEN: 'x'.repeat(64) },
      1,
      /refuses the token: .+ Make another in the console/,
    ],
    ['no token', {}, 2, /^Set RAMAL_TOKEN to an access token/],
    ['an empty token', { RAMAL_TOKEN: '' }, 2, /^Set RAMAL_TOKEN/],
    [
      'a service that is not there',
      { RAMAL_TOKEN: 'x', RAMAL_URL: 'http://127.0.0.1:2' },
      1,
      /^No service answers at http:\/\/127\.0\.0\.1:2: .*ECONNREFUSED/,
    ],
    ['an address that is none', { RAMAL_TOKEN: 'x', RAMAL_URL: 'ramal' }, 2, /^--url is the address/],
    [
      'a receiver that is no address',
      { RAMAL_TOKEN: 'x', RAMAL_FORWARD_TO: 'localhost:4000' },
      2,
      /^--forward-to is/,
    ],
    ['a secret that is none', { RAMAL_TOKEN: 'x', RAMAL_WEBHOOK_SECRET: 'secret' }, 2, /^--secret is whsec_/],
  ])('%s is a clear error', async (_, env: Env, code, message) => {
    const ended = await runHere(['listen'], { RAMAL_URL: service.url, ...env })
    expect([ended.code, ended.output, ended.errors]).toEqual([code, '', expect.stringMatching(message)])
  })

  test.each([
    ['--events', 'channel-hangup,call-ended', 'There is no event call-ended: they are channel-answer'],
    ['--since', 'yesterday', '--since is 30s, 15m, 2h or 1d'],
    ['--after', 'x', '--after is a cursor'],
  ])('%s %s is refused', async (option, value, message) => {
    const ended = await runHere(['listen', option, value], { RAMAL_TOKEN: 'x' })
    expect([ended.code, ended.output, ended.errors]).toEqual([2, '', expect.stringContaining(message)])
  })
})

describe('trigger', () => {
  const trigger = (env: Env, ...args: string[]) =>
    runRamal(['trigger', ...args], { ...foreign, ...env }, where)

  test.each(['channel-hangup', 'account-alert'])('%s is signed, and valid by its schema', async (type) => {
    const receiver = await openReceiver()
    const { code, text } = await trigger({ RAMAL_TOKEN: 'of-no-service' }, type, '--forward-to', receiver.url)
    const [received] = await receiver.until(1)
    if (!received) throw new Error('nothing came')
    const [, secret = ''] = /(whsec_\S+)/.exec(text) ?? []
    expect(await verified(received, secret)).toMatchObject({ eventType: type })
    const schema = description.webhooks[type]?.post?.requestBody?.content['application/json']?.schema
    expect(schema).toBeDefined()
    expect(faultsOf(description, schema, received.body)).toEqual([])
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(new RegExp(`${type} +${received.body.id}  200 in `)),
    ])
  })

  test('without a token or secret says what to do with the one that it made up, which works when it is given', async () => {
    const receiver = await openReceiver()
    const send = (...more: string[]) => trigger({}, 'channel-hangup', '--forward-to', receiver.url, ...more)
    const { text } = await send()
    const [, secret = ''] = /give your receiver (whsec_\S+) and repeat with --secret/.exec(text) ?? []
    const again = await send('--secret', secret)
    expect(again.text).toContain(`Secret of the signature: ${secret}`)
    for (const received of await receiver.until(2))
      expect(await verified(received, secret)).toMatchObject({ eventType: 'channel-hangup' })
  })

  test('a call that is over lasted from its answer to its end, a moment ago', async () => {
    const receiver = await openReceiver()
    await trigger({}, 'channel-hangup', '--forward-to', receiver.url, '--metadata', '{"lead":7}')
    const [received] = await receiver.until(1)
    const { answeredAt, endedAt, duration, metadata } = received?.body ?? {}
    const seconds = (local: string) => Date.parse(`${local.replace(' ', 'T')}-03:00`) / 1000
    expect(seconds(endedAt) - seconds(answeredAt)).toBe(duration)
    expect(Math.abs(Date.now() / 1000 - seconds(endedAt))).toBeLessThan(60)
    expect(metadata).toEqual({ lead: 7 })
  })

  test('is signed with the secret that listen has for the same token', async () => {
    const ana = await openAccount(service)
    const receiver = await openReceiver()
    const { secret } = await listen({ RAMAL_TOKEN: ana.token })
    await trigger({ RAMAL_TOKEN: ana.token }, 'channel-answer', '--forward-to', receiver.url)
    const [received] = await receiver.until(1)
    if (!received) throw new Error('nothing came')
    expect(await verified(received, secret)).toMatchObject({ eventType: 'channel-answer' })
  })

  test('ends with 1 where the receiver refuses or is not there, and says so', async () => {
    const receiver = await openReceiver()
    receiver.answerWith(answer(401))
    const refused = await trigger({}, 'test', '--forward-to', receiver.url)
    expect([refused.code, refused.text]).toEqual([1, expect.stringMatching(/401 in \d+ ms: status 401$/m)])
    receiver.answerWith((response) => response.writeHead(401).end())
    const silent = await trigger({}, 'test', '--forward-to', receiver.url)
    expect(silent.text).toMatch(/401 in \d+ ms: does the receiver have the secret above\?$/m)
    const dead = await trigger({}, 'test', '--forward-to', `http://127.0.0.1:${await freePort()}/`)
    expect(dead.code).toBe(1)
    expect(dead.text).toContain('no answer: connect ECONNREFUSED')
    expect(dead.text).toContain('start your receiver')
  })

  test.each([
    [[], 'Name one type of event: channel-answer'],
    [['channel-explode'], 'Name one type of event'],
    [['test', '--metadata', '[1]'], '--metadata is a JSON object'],
  ])('%j is refused', async (args, message) => {
    expect(await runHere(['trigger', ...args], foreign)).toEqual({
      code: 2,
      output: '',
      errors: expect.stringContaining(message),
    })
  })
})
