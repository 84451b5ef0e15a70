/** D19: the recording of a call, by its signed link or with a token. */
import { once } from 'node:events'
import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basePath } from '../../../src/http/entry.ts'
import { wavHeader } from '../../../src/media/sound/wav.ts'
import { days } from '../../helpers/run/test-clock.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251))

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>
let accountId: number
let id: string
let link: string

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
  accountId = await accountIdOf(service.db, admin.domain)
  id = await keepRecording(bytes)
  link = await linkOf(id)
})
afterAll(() => service.stop())

/** A call whose recording is kept. */
async function keepRecording(sound: Buffer, more: { call_type?: 'inbound' } = {}): Promise<string> {
  const [call = ''] = await insertCalls(service.db, accountId, [{ recording: 'stored', ...more }])
  const folder = join(service.dataDir, 'recordings/2026/11/15')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${call}.wav`), sound)
  return call
}

async function linkOf(call: string): Promise<string> {
  return (await service.api.get(`/calls/${call}`, admin)).body.record_url
}

async function get(headers: Record<string, string> = {}, url = link, method = 'GET') {
  const response = await fetch(url, { method, headers })
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  }
}

const codeOf = ({ body }: { body: Buffer }) => JSON.parse(body.toString()).error.code

test('the link in the list answers the sound to anyone who has it (D120)', async () => {
  const { status, headers, body } = await get()
  expect(status).toBe(200)
  expect(body.equals(bytes)).toBe(true)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'audio/wav',
    'content-length': '1000',
    'accept-ranges': 'bytes',
    'content-disposition': `inline; filename="${id}.wav"`,
    'last-modified': 'Sun, 15 Nov 2026 12:00:00 GMT',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  })
  expect(headers.get('access-control-expose-headers')).toMatch(/RateLimit-Limit.*Content-Range/)
})

test('the link is the same whenever it is asked for, and begins with where the service is reached', async () => {
  expect(await linkOf(id)).toBe(link)
  expect(link.startsWith(`${service.url}${basePath}/calls/${id}/recording?expires=`)).toBe(true)
})

test('a token of the account answers it too, that of another account does not', async () => {
  const plain = link.split('?')[0] ?? ''
  const user = await addUser(service, admin)
  expect((await get({ authorization: user.token }, plain)).body.equals(bytes)).toBe(true)
  const other = await openAccount(service)
  const refused = await get({ authorization: other.token }, plain)
  expect([refused.status, codeOf(refused)]).toEqual([404, 'RECORDING_NOT_FOUND'])
  const nobody = await get({}, plain)
  expect([nobody.status, codeOf(nobody)]).toEqual([401, 'AUTHORIZATION_REQUIRED'])
  expect((await get({ authorization: 'wrong' }, plain)).status).toBe(401)
})

test('a link that was changed, or is of another call, is refused, with or without a token (D120)', async () => {
  const another = await keepRecording(bytes)
  const { origin, pathname, searchParams } = new URL(link)
  const [expires = '', signature = ''] = [searchParams.get('expires'), searchParams.get('signature')].map(
    String,
  )
  for (const query of [
    `expires=${Number(expires) + 1}&signature=${signature}`,
    `expires=${expires}&signature=${signature.slice(0, -2)}AA`,
    `expires=${expires}&signature=${signature}!!`,
    `expires=${expires}&signature=${signature}=`,
    `expires=${expires}&signature=`,
    `expires=${expires}`,
    `signature=${signature}`,
    `expires=${expires}&expires=1&signature=${signature}`,
    `expires=-1&signature=${signature}`,
  ]) {
    const answer = await get({ authorization: admin.token }, `${origin}${pathname}?${query}`)
    expect([answer.status, codeOf(answer)], query).toEqual([403, 'RECORDING_LINK_INVALID'])
  }
  expect((await get({}, link.replace(id, another))).status).toBe(403)
  expect((await get({}, `${link}&more=1`)).status).toBe(400)
})

test('a link ends with the retention (D120)', async () => {
  const aged = await startService({ RECORDING_DAYS: '2' })
  try {
    const owner = await openAccount(aged)
    const account = await accountIdOf(aged.db, owner.domain)
    const [call = ''] = await insertCalls(aged.db, account, [
      { recording: 'spooled', started_at: new Date(aged.clock.now().getTime() - 60_000) },
    ])
    const url = (await aged.api.get(`/calls/${call}`, owner)).body.record_url
    expect((await get({}, url)).status).toBe(404)
    aged.clock.advance(2 * days)
    expect((await get({}, url)).status).toBe(403)
    await aged.tick('old recordings')
    aged.clock.advance(1)
    await aged.tick('old recordings')
    const fresh = await aged.api.post('/users/login', { email: owner.email, password: owner.password })
    expect((await aged.api.get(`/calls/${call}`, { token: fresh.body.id })).body.record_url).toBe('')
  } finally {
    await aged.stop()
  }
})

test('a recording not stored yet is 404 with Retry-After; none, unknown and lost are 404 (D122)', async () => {
  const [spooled = '', none = '', lost = ''] = await insertCalls(service.db, accountId, [
    { recording: 'spooled', started_at: new Date(service.clock.now().getTime() - 60_000) },
    {},
    { recording: 'stored' },
  ])
  const soon = await get({}, await linkOf(spooled))
  expect([soon.status, codeOf(soon), soon.headers.get('retry-after')]).toEqual([
    404,
    'RECORDING_NOT_FOUND',
    '5',
  ])
  for (const call of [none, lost, crypto.randomUUID(), 'x']) {
    const answer = await get(
      { authorization: admin.token },
      `${service.url}${basePath}/calls/${call}/recording`,
    )
    expect([answer.status, codeOf(answer), answer.headers.get('retry-after')]).toEqual([
      404,
      'RECORDING_NOT_FOUND',
      null,
    ])
  }
})

test.each([
  ['bytes=0-', 0, 999],
  ['bytes=100-199', 100, 199],
  ['bytes=990-5000', 990, 999],
  ['bytes=-1', 999, 999],
])('Range %s is answered with that part', async (range, from, to) => {
  const { status, headers, body } = await get({ range })
  expect(status).toBe(206)
  expect(headers.get('content-range')).toBe(`bytes ${from}-${to}/1000`)
  expect(headers.get('content-length')).toBe(String(to - from + 1))
  expect(body.equals(bytes.subarray(from, to + 1))).toBe(true)
})

test('a part beyond the end is 416 and says how much there is; several parts are answered whole', async () => {
  const beyond = await get({ range: 'bytes=1000-' })
  expect([beyond.status, beyond.headers.get('content-range'), codeOf(beyond)]).toEqual([
    416,
    'bytes */1000',
    'RANGE_NOT_SATISFIABLE',
  ])
  expect((await get({ range: 'bytes=0-1,5-6' })).status).toBe(200)
})

test('conditional requests: 304 if the client has it already, and ranges only of the same version', async () => {
  const { headers } = await get()
  const etag = headers.get('etag') ?? ''
  const modified = headers.get('last-modified') ?? ''
  for (const condition of [
    { 'if-none-match': etag },
    { 'if-none-match': `"x", W/${etag}` },
    { 'if-modified-since': modified },
  ]) {
    const answer = await get(condition as Record<string, string>)
    expect([answer.status, answer.body.length]).toEqual([304, 0])
  }
  expect((await get({ 'if-none-match': '"other"' })).status).toBe(200)
  const range = 'bytes=0-9'
  expect((await get({ range, 'if-range': etag })).status).toBe(206)
  expect((await get({ range, 'if-range': modified })).status).toBe(206)
  expect((await get({ range, 'if-range': '"other"' })).status).toBe(200)
})

test('HEAD answers the same headers without the audio', async () => {
  const { status, headers, body } = await get({}, link, 'HEAD')
  expect([status, headers.get('content-length'), headers.get('content-type'), body.length]).toEqual([
    200,
    '1000',
    'audio/wav',
    0,
  ])
  expect((await get({ range: 'bytes=0-9' }, link, 'HEAD')).headers.get('content-length')).toBe('10')
})

/** Recordings this process has open. */
async function openFiles(call: string): Promise<number> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
  return (await Promise.all(links)).filter((path) => path.endsWith(`${call}.wav`)).length
}

test.skipIf(process.platform !== 'linux')(
  'a client that does not read is not read for, and one that goes leaves no file open',
  async () => {
    const large = await keepRecording(Buffer.alloc(64 << 20, 1))
    const { host, port, pathname, search } = new URL(await linkOf(large))
    const socket = connect({ host: '127.0.0.1', port: Number(port) })
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    await once(socket, 'readable')
    // Another client has received all of it by now, and this client has not.
    expect((await get({}, await linkOf(large))).body.length).toBe(64 << 20)
    expect(await openFiles(large)).toBe(1)
    socket.destroy()
    await expect.poll(() => openFiles(large)).toBe(0)
  },
)

test('no response leaves a file open', async () => {
  const answers = [{}, { range: 'bytes=0-9' }, { range: 'bytes=5000-' }, { 'if-none-match': '*' }]
  for (const headers of answers) await get(headers as Record<string, string>)
  await get({}, link, 'HEAD')
  await expect.poll(() => openFiles(id)).toBe(0)
})

test('D286: on one channel, or with the caller on channel 1; another form is 400', async () => {
  const frames = Buffer.from(Int16Array.from([100, 7, 200, 8]).buffer)
  const stereo = Buffer.concat([wavHeader(2), frames])
  const inbound = await keepRecording(stereo, { call_type: 'inbound' })
  const outbound = await keepRecording(stereo)
  const samples = async (call: string, query: string) => {
    const { status, body } = await get({}, `${await linkOf(call)}&${query}`)
    return [status, ...new Int16Array(Uint8Array.from(body.subarray(44)).buffer)]
  }
  expect(await samples(inbound, 'channels=1')).toEqual([200, 107, 208])
  expect(await samples(inbound, 'first=caller')).toEqual([200, 7, 100, 8, 200])
  expect(await samples(outbound, 'first=caller')).toEqual([200, 100, 7, 200, 8])
  expect(await samples(inbound, 'first=extension&channels=2')).toEqual([200, 100, 7, 200, 8])
  const part = await get({ range: 'bytes=44-45' }, `${await linkOf(inbound)}&channels=1`)
  expect([part.status, part.body.readInt16LE(0), part.headers.get('content-range')]).toEqual([
    206,
    107,
    'bytes 44-45/48',
  ])
  for (const query of ['channels=3', 'first=agent'])
    expect((await get({}, `${await linkOf(inbound)}&${query}`)).status).toBe(400)
})
