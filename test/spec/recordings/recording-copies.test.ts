/** Recordings in smaller formats: Ogg/Opus (D576) and MP3 (D586). */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wavHeader } from '../../../src/media/sound/wav.ts'
import { programMissing } from '../../helpers/programs/programs.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

const frames = 24_000
const tone = Int16Array.from({ length: 2 * frames }, (_, index) =>
  index % 2 === 0 ? Math.round(8000 * Math.sin((index / 2 / 8000) * 2 * Math.PI * 440)) : 0,
)
/** 3 s: a tone of the extension, silence of the other side. */
const sound = Buffer.concat([wavHeader(frames), Buffer.from(tone.buffer)])

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>
let accountId: number

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
  accountId = await accountIdOf(service.db, admin.domain)
})
afterAll(() => service.stop())

const fileOf = (call: string, suffix: string) =>
  join(service.dataDir, 'recordings/2026/11/15', `${call}.${suffix}`)

async function record(more: { call_type?: 'inbound' } = {}) {
  const [id = ''] = await insertCalls(service.db, accountId, [{ recording: 'stored', ...more }])
  await mkdir(join(service.dataDir, 'recordings/2026/11/15'), { recursive: true })
  await writeFile(fileOf(id, 'wav'), sound)
  const { body } = await service.api.get(`/calls/${id}`, admin)
  return {
    id,
    link: String(body.record_url),
    ogg: String(body.record_url).replace('/recording?', '/recording.ogg?'),
    mp3: String(body.record_url).replace('/recording?', '/recording.mp3?'),
  }
}

async function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(url, { method, headers })
  const { status } = response
  return { status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) }
}

/** From standard input to samples of 16 bits, at 8000 Hz. */
const decoders = {
  ffmpeg: 'ffmpeg -v error -i pipe:0 -f s16le -ar 8000 pipe:1',
  'sox (MP3)': 'sox -V1 -t mp3 - -t s16 -r 8000 -',
  // Debian's sox is built without Opus: opusdec reads it by the library that sox would use, libopusfile.
  'opusdec and sox': 'opusdec --quiet --force-wav - - | sox -V1 --ignore-length -t wav - -t s16 -r 8000 -',
}

/** Root mean square of each channel, as a program decodes the file. */
function levels(file: Buffer, channels: 1 | 2, decoder: keyof typeof decoders = 'ffmpeg') {
  const decoded = execFileSync('sh', ['-c', decoders[decoder]], {
    input: file,
    maxBuffer: 1e8,
    stdio: 'pipe',
  })
  const samples = new Int16Array(decoded.buffer, decoded.byteOffset, decoded.length / 2)
  const of = (channel: number) => {
    let sum = 0
    for (let at = channel; at < samples.length; at += channels) sum += (samples[at] ?? 0) ** 2
    return Math.sqrt((sum * channels) / samples.length)
  }
  return { seconds: samples.length / channels / 8000, first: of(0), second: of(channels - 1) }
}

test('the link with .ogg is the recording in a tenth of the bytes, made once and kept', async () => {
  const { id, link, ogg } = await record()
  const first = await get(ogg)
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'audio/ogg'])
  expect(first.headers.get('content-disposition')).toBe(`inline; filename="${id}.ogg"`)
  expect(first.body.subarray(0, 4).toString()).toBe('OggS')
  expect(first.body.length).toBeLessThan(sound.length / 8)
  expect((await get(link)).body.equals(sound)).toBe(true)
  // Only what is kept can answer now.
  await rm(fileOf(id, 'wav'))
  expect((await get(ogg)).body.equals(first.body)).toBe(true)
})

test.skipIf(programMissing('ffmpeg'))(
  'ffmpeg reads it, each party on its channel, to the same length',
  async () => {
    const { link, ogg } = await record({ call_type: 'inbound' })
    const usual = levels((await get(ogg)).body, 2)
    expect(usual.seconds).toBeCloseTo(3, 2)
    expect(usual.first).toBeGreaterThan(10 * usual.second)
    const swapped = levels((await get(`${ogg}&first=caller`)).body, 2)
    expect(swapped.second).toBeGreaterThan(10 * swapped.first)
    const mixed = levels((await get(`${ogg}&channels=1`)).body, 1)
    expect(mixed.first).toBeGreaterThan(4000)
    expect(levels((await get(link)).body, 2).first / usual.first).toBeCloseTo(1, 1)
  },
)

test.skipIf(programMissing('sox') || programMissing('opusdec'))(
  'opusdec and sox read it, each party on its channel, to the same length',
  async () => {
    const { ogg } = await record()
    const usual = levels((await get(ogg)).body, 2, 'opusdec and sox')
    expect(usual.seconds).toBeCloseTo(3, 2)
    expect(usual.first).toBeGreaterThan(10 * usual.second)
    const mixed = levels((await get(`${ogg}&channels=1`)).body, 1, 'opusdec and sox')
    expect([mixed.seconds, mixed.first / levels(sound, 2).first]).toEqual([
      expect.closeTo(3, 2),
      expect.closeTo(1, 1),
    ])
  },
)

test('ranges, HEAD and conditions work as on the WAV, with a tag of its own', async () => {
  const { link, ogg } = await record()
  const whole = await get(ogg)
  const part = await get(ogg, { range: 'bytes=100-199' })
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes 100-199/${whole.body.length}`,
  ])
  expect(part.body.equals(whole.body.subarray(100, 200))).toBe(true)
  const head = await get(ogg, {}, 'HEAD')
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(whole.body.length)])
  const etag = whole.headers.get('etag') ?? ''
  expect((await get(ogg, { 'if-none-match': etag })).status).toBe(304)
  expect((await get(link)).headers.get('etag')).not.toBe(etag)
  expect((await get(ogg, { range: 'bytes=9999999-' })).status).toBe(416)
})

test.each([
  ['audio/ogg', 'audio/ogg'],
  ['audio/ogg;codecs=opus, audio/flac', 'audio/ogg'],
  ['*/*', 'audio/wav'],
  // Firefox, for a sound in a page.
  ['audio/webm,audio/ogg,audio/wav,audio/*;q=0.9,application/ogg;q=0.7,*/*;q=0.5', 'audio/wav'],
])('without a suffix, Accept: %s is answered with %s', async (accept, type) => {
  const { link } = await record()
  const { headers } = await get(link, { accept })
  expect([headers.get('content-type'), headers.get('vary')]).toEqual([type, expect.stringMatching(/accept/i)])
})

test('.wav is WAV whatever is accepted, and another suffix is no route', async () => {
  const { link } = await record()
  const as = (suffix: string) =>
    get(link.replace('/recording?', `/recording.${suffix}?`), { accept: 'audio/ogg' })
  expect((await as('wav')).headers.get('content-type')).toBe('audio/wav')
  expect((await as('flac')).status).toBe(404)
})

test('a removed recording is gone in every format, and a link that was revoked opens none', async () => {
  const removed = await record()
  await get(removed.ogg)
  expect(existsSync(fileOf(removed.id, 'ogg'))).toBe(true)
  expect((await service.api.delete(`/calls/${removed.id}/recording`, admin)).status).toBe(200)
  expect(existsSync(fileOf(removed.id, 'ogg'))).toBe(false)
  expect((await get(removed.ogg)).status).toBe(404)

  const revoked = await record()
  await service.api.post(`/calls/${revoked.id}/recording/revoke`, undefined, admin)
  expect((await get(revoked.ogg)).status).toBe(403)
})

test('clients that request a copy at once get the same one', async () => {
  const { ogg } = await record()
  const answers = await Promise.all(Array.from({ length: 5 }, () => get(ogg)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.toString('base64'))).size).toBe(1)
})

describe.skipIf(programMissing('ffmpeg'))('MP3 by a program of the machine', () => {
  test('is read by ffmpeg, each party on its channel, and kept', async () => {
    const { id, mp3 } = await record()
    const first = await get(mp3)
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
    expect(first.headers.get('content-disposition')).toBe(`inline; filename="${id}.mp3"`)
    expect(first.body.length).toBeLessThan(sound.length / 6)
    const { seconds, first: extension, second } = levels(first.body, 2)
    expect(seconds).toBeGreaterThan(2.9)
    expect(seconds).toBeLessThan(3.3)
    expect(extension).toBeGreaterThan(10 * second)
    const part = await get(mp3, { range: 'bytes=0-99' })
    expect([part.status, part.body.length]).toEqual([206, 100])
    await rm(fileOf(id, 'wav'))
    expect((await get(mp3)).body.equals(first.body)).toBe(true)
    expect((await service.api.delete(`/calls/${id}/recording`, admin)).status).toBe(200)
    expect(existsSync(fileOf(id, 'mp3'))).toBe(false)
  })

  test.skipIf(programMissing('sox with MP3', 'sox --help | grep -w mp3'))(
    'is read by sox as by ffmpeg, in stereo and mixed',
    async () => {
      const { mp3 } = await record()
      for (const [url, channels] of [
        [mp3, 2],
        [`${mp3}&channels=1`, 1],
      ] as const) {
        const { body } = await get(url)
        const [bySox, byFfmpeg] = [levels(body, channels, 'sox (MP3)'), levels(body, channels)]
        expect(bySox.seconds).toBeGreaterThan(2.9)
        expect(bySox.seconds).toBeLessThan(3.3)
        expect(bySox.first / byFfmpeg.first).toBeCloseTo(1, 1)
        if (channels === 2) expect(bySox.first).toBeGreaterThan(10 * bySox.second)
      }
    },
  )

  test('Accept: audio/mpeg alone is answered with it', async () => {
    const { link } = await record()
    expect((await get(link, { accept: 'audio/mpeg' })).headers.get('content-type')).toBe('audio/mpeg')
  })
})

test('without such a program .mp3 is refused, and Accept: audio/mpeg answered with WAV', async () => {
  const without = await startService({ MP3_PROGRAM: '/nowhere/ffmpeg' })
  try {
    const owner = await openAccount(without)
    const [id = ''] = await insertCalls(without.db, await accountIdOf(without.db, owner.domain), [
      { recording: 'stored' },
    ])
    await mkdir(join(without.dataDir, 'recordings/2026/11/15'), { recursive: true })
    await writeFile(join(without.dataDir, 'recordings/2026/11/15', `${id}.wav`), sound)
    const { status, body } = await without.api.get(`/calls/${id}/recording.mp3`, owner)
    expect([status, body.error.code]).toEqual([406, 'FORMAT_UNAVAILABLE'])
    const { body: call } = await without.api.get(`/calls/${id}`, owner)
    const { headers } = await get(String(call.record_url), { accept: 'audio/mpeg' })
    expect(headers.get('content-type')).toBe('audio/wav')
  } finally {
    await without.stop()
  }
})
