/** D316: the peaks of a recording, for those who may listen to it. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wavHeader } from '../../../src/media/sound/wav.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { storeRecording } from '../../helpers/service/recordings.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { countRows } from '../../helpers/stored/row-counts.ts'

const rate = 8_000
const seconds = 40

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService({ RECORDING_ENCRYPTION: 'on' })
  admin = await openAccount(service)
})
afterAll(() => service.stop())

/** Silence, but for the extension in second 20 and the other party in the last one. */
function conversation(): Buffer {
  const samples = new Int16Array(2 * rate * seconds)
  for (let frame = 0; frame < rate; frame += 1) {
    samples[2 * (20 * rate + frame)] = frame % 2 === 0 ? 12_800 : -12_800
    samples[2 * ((seconds - 1) * rate + frame) + 1] = -32_768
  }
  return Buffer.concat([wavHeader(rate * seconds), Buffer.from(samples.buffer)])
}

async function keep(sound: Buffer): Promise<string> {
  const accountId = await accountIdOf(service.db, admin.domain)
  const [id = ''] = await insertCalls(service.db, accountId, [{ recording: 'spooled' }])
  await storeRecording(service, id, sound, seconds)
  return id
}

const peaksOf = (id: string, { token } = admin) => service.api.get(`/calls/${id}/recording/peaks`, { token })

test('show when each party was loud, computed once from the stored sound, also if it is encrypted', async () => {
  const id = await keep(conversation())
  const [one, two] = await Promise.all([peaksOf(id), peaksOf(id)])
  expect(one.status).toBe(200)
  expect(two.body).toEqual(one.body)
  const { extension, destination } = one.body
  expect([one.body.seconds, extension.length, destination.length]).toEqual([seconds, 1_000, 1_000])
  const perSecond = 1_000 / seconds
  const loud = (peaks: number[]) => peaks.flatMap((peak, at) => (peak > 0 ? [[at, peak]] : []))
  const all = (from: number, peak: number) => Array.from({ length: perSecond }, (_, at) => [from + at, peak])
  expect(loud(extension)).toEqual(all(20 * perSecond, 100))
  expect(loud(destination)).toEqual(all((seconds - 1) * perSecond, 255))

  const folder = join(service.dataDir, 'recordings/2026/11/15')
  expect(await readdir(folder)).toContain(`${id}.wav`)
  await rm(join(folder, `${id}.wav`))
  expect((await peaksOf(id)).body).toEqual(one.body)
})

test('are for clients with a valid link or a token of the account, and end with the recording', async () => {
  const id = await keep(conversation())
  const peaksLink = async () =>
    String((await service.api.get(`/calls/${id}`, admin)).body.record_url).replace('?', '/peaks?')
  const link = await peaksLink()
  expect((await fetch(link)).status).toBe(200)
  expect((await fetch(link.split('?')[0] ?? '')).status).toBe(401)
  const stranger = await peaksOf(id, await openAccount(service))
  expect([stranger.status, stranger.body.error.code]).toEqual([404, 'RECORDING_NOT_FOUND'])
  await service.api.post(`/calls/${id}/recording/revoke`, undefined, admin)
  const revoked = await fetch(link)
  expect([revoked.status, ((await revoked.json()) as { error: { code: string } }).error.code]).toEqual([
    403,
    'RECORDING_LINK_INVALID',
  ])
  expect((await fetch(await peaksLink())).status).toBe(200)
  expect((await service.api.delete(`/calls/${id}/recording`, admin)).status).toBe(200)
  expect((await peaksOf(id)).status).toBe(404)
  expect(await countRows(service.db, 'recording_peaks', { call_id: id })).toBe(0)
})

test('an empty recording has none, and a call without a recording is 404', async () => {
  const empty = await keep(wavHeader(0))
  expect((await peaksOf(empty)).body).toEqual({ seconds: 0, extension: [], destination: [] })
  expect((await peaksOf('x')).status).toBe(404)
})
