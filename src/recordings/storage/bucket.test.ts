/** D258: recordings in an S3-compatible bucket. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type S3Server, s3ServerMissing, startS3Server } from '../../../test/helpers/programs/s3-server.ts'
import { createTestClock } from '../../../test/helpers/run/test-clock.ts'
import { accountIdOf, insertCalls } from '../../../test/helpers/service/call-rows.ts'
import { openAccount } from '../../../test/helpers/service/people.ts'
import { type Service, startService } from '../../../test/helpers/service/service.ts'
import { createBucketStore } from './bucket.ts'
import { createRecordingCipher } from './encryption.ts'
import { type ByteRange, type RecordingStore, RecordingsUnavailable } from './port.ts'
import { partBytes } from './upload.ts'

const name = '2026/11/15/call.wav'
const key = randomBytes(32)
/** More than two parts. */
const long = randomBytes(2 * partBytes + 12_345)
const short = long.subarray(0, 100_000)

const sourceOf = (bytes: Buffer) => ({
  open: async () =>
    Readable.from(
      Array.from({ length: Math.ceil(bytes.length / 65_521) }, (_, index) =>
        bytes.subarray(index * 65_521, (index + 1) * 65_521),
      ),
    ),
})

async function read(from: RecordingStore, range?: ByteRange): Promise<Buffer | undefined> {
  const found = await from.open(name)
  return found && (await buffer(found.read(range)))
}

describe.skipIf(s3ServerMissing())('recordings in a bucket', () => {
  let server: S3Server
  let clock: ReturnType<typeof createTestClock>
  let store: RecordingStore

  beforeAll(async () => {
    server = await startS3Server()
    clock = createTestClock(new Date().toISOString())
    store = createBucketStore(server.settings, { clock, cipher: createRecordingCipher(key) })
  })
  afterAll(() => server.stop())
  afterEach(async () => {
    server.setFault()
    await store.remove(name)
  })

  test.each([
    ['plain', false],
    ['encrypted', true],
  ])('are stored and read whole and in part, %s', async (_how, encrypts) => {
    const ours = createBucketStore(server.settings, { clock, cipher: createRecordingCipher(key), encrypts })
    for (const sound of [Buffer.alloc(0), short, long]) {
      await ours.put(name, sourceOf(sound))
      expect((await ours.open(name))?.bytes).toBe(sound.length)
      expect((await read(ours))?.equals(sound)).toBe(true)
    }
    for (const [from, to] of [
      [0, 0],
      [65_535, 65_536],
      [partBytes - 3, partBytes + 70_000],
      [long.length - 1, long.length - 1],
    ] as const) {
      expect((await read(ours, { from, to }))?.equals(long.subarray(from, to + 1))).toBe(true)
    }
    expect(await server.keys()).toEqual([`calls/${name}`])
    // Whichever way it is stored, it is readable when encryption is turned on or off (D210).
    expect((await read(store))?.equals(long)).toBe(true)
  })

  test('what is removed is gone; removing again is fine; other names are refused', async () => {
    await store.put(name, sourceOf(short))
    await store.remove(name)
    await store.remove(name)
    expect(await store.open(name)).toBeUndefined()
    await expect(store.open('../other.wav')).rejects.toThrow(/not the name/)
  })

  test('a source that is gone is fine if it was stored, else an error', async () => {
    const gone = { open: () => Promise.reject(new Error('ENOENT')) }
    await expect(store.put(name, gone)).rejects.toThrow('ENOENT')
    await store.put(name, sourceOf(short))
    await store.put(name, gone)
  })

  test('a busy bucket is tried again, and a broken download is continued where it broke', async () => {
    let busy = 2
    server.setFault((_request, response) => {
      if (busy === 0) return undefined
      busy -= 1
      response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
      return 'handled'
    })
    await store.put(name, sourceOf(long))
    expect(busy).toBe(0)
    const ranges: unknown[] = []
    server.setFault(({ headers }) => {
      if (headers.range === 'bytes=0-31') return undefined
      ranges.push(headers.range)
      return ranges.length === 1 ? { cutAfter: 1_000_000 } : undefined
    })
    expect((await read(store))?.equals(long)).toBe(true)
    expect(ranges).toHaveLength(2)
    expect(ranges[1]).not.toBe(ranges[0])
  })

  test('a bucket that fails for good is unavailable, and leaves no part of an upload', async () => {
    let parts = 0
    server.setFault(({ method, url }, response) => {
      if (method !== 'PUT' || !url?.includes('partNumber=2')) return undefined
      parts += 1
      response.destroy()
      return 'handled'
    })
    await expect(store.put(name, sourceOf(long))).rejects.toThrow(RecordingsUnavailable)
    expect(parts).toBeGreaterThan(1)
    server.setFault()
    const { text } = await server.client.sendForText({ method: 'GET', query: { uploads: '' } })
    expect(text).not.toContain('<Upload>')
    expect(await store.open(name)).toBeUndefined()
  })

  test('wrong credentials are reported in the words of the bucket', async () => {
    const wrong = createBucketStore({ ...server.settings, secretAccessKey: 'guessed' }, { clock })
    const refused = expect.objectContaining({ message: expect.stringMatching(/403 SignatureDoesNotMatch/) })
    await expect(wrong.open(name)).rejects.toEqual(refused)
    // As a bucket that is away: a download is 503, until the operator mends the key.
    await expect(wrong.open(name)).rejects.toThrow(RecordingsUnavailable)
  })

  test('a process killed in an upload leaves nothing to be seen, and it is uploaded again', async () => {
    let parts = 0
    server.setFault(({ method, url }) => {
      if (method === 'PUT' && url?.includes('partNumber=')) parts += 1
      return undefined
    })
    const script = `
      import { createBucketStore } from './bucket.ts'
      import { systemClock } from '../../kit/clock.ts'
      import { Readable } from 'node:stream'
      async function* sound() {
        yield Buffer.alloc(${2 * partBytes})
        await new Promise(() => setInterval(() => {}, 1000))
      }
      const store = createBucketStore(${JSON.stringify(server.settings)}, { clock: systemClock })
      await store.put('${name}', { open: async () => Readable.from(sound()) })`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      stdio: 'ignore',
    })
    try {
      await expect.poll(() => parts, { timeout: 60_000 }).toBe(2)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    expect(await store.open(name)).toBeUndefined()
    await store.put(name, sourceOf(long))
    expect((await read(store))?.equals(long)).toBe(true)

    const uploads = async () =>
      (await server.client.sendForText({ method: 'GET', query: { uploads: '' } })).text.includes('<Upload>')
    const longAgo = new Date('2000-01-01')
    await store.removeBefore(longAgo)
    expect(await uploads()).toBe(true)
    clock.advance(2 * 86_400)
    await store.removeBefore(longAgo)
    expect(await uploads()).toBe(false)
  })

  test('D230: recordings of days before a day are removed; nothing else is', async () => {
    const days = ['2025/12/31', '2026/08/16', '2026/08/17']
    for (const day of days) await store.put(`${day}/call.wav`, sourceOf(short))
    await store.put('2025/notes.wav', sourceOf(short))
    await store.removeBefore(new Date('2026-08-17T12:00:00Z'))
    expect(await server.keys()).toEqual(['calls/2025/notes.wav', 'calls/2026/08/17/call.wav'])
    await store.remove('2025/notes.wav')
    await store.remove('2026/08/17/call.wav')
  })

  describe('over the API', () => {
    let service: Service

    beforeAll(async () => {
      service = await startService({
        RECORDINGS: 's3://recordings/calls',
        AWS_ACCESS_KEY_ID: server.settings.accessKeyId,
        AWS_SECRET_ACCESS_KEY: server.settings.secretAccessKey,
        AWS_ENDPOINT_URL_S3: server.settings.endpoint,
        RECORDING_ENCRYPTION: 'on',
      })
    })
    afterAll(() => service.stop())

    test('our links read the bucket, in part too, and are 503 while it is out of reach', async () => {
      const admin = await openAccount(service)
      const accountId = await accountIdOf(service.db, admin.domain)
      const [id = ''] = await insertCalls(service.db, accountId, [{ recording: 'spooled' }])
      const discarded: string[] = []
      const recording = {
        seconds: 3,
        bytes: long.length,
        ...sourceOf(long),
        discard: async () => void discarded.push(id),
      }
      await service.app.services.calls.recordingIntake.take(id, recording)
      expect(discarded).toEqual([id])
      const { record_url } = (await service.api.get(`/calls/${id}`, admin)).body
      const whole = await fetch(record_url)
      expect(Buffer.from(await whole.arrayBuffer()).equals(long)).toBe(true)
      const part = await fetch(record_url, { headers: { range: 'bytes=70000-70009' } })
      expect(part.status).toBe(206)
      expect(Buffer.from(await part.arrayBuffer()).equals(long.subarray(70_000, 70_010))).toBe(true)

      server.setFault((_request, response) => {
        response.writeHead(500).end()
        return 'handled'
      })
      const away = await fetch(record_url)
      expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
      await away.body?.cancel()
    })
  })
})
