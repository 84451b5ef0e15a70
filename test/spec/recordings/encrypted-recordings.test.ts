/** D210: recordings that are encrypted on disk are downloaded as any other. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { storeRecording } from '../../helpers/service/recordings.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

const sound = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))

let service: Service
beforeAll(async () => {
  service = await startService({ RECORDING_ENCRYPTION: 'on' })
})
afterAll(() => service.stop())

test('the recording is encrypted when it is stored; the link and its ranges answer the sound', async () => {
  const admin = await openAccount(service)
  const accountId = await accountIdOf(service.db, admin.domain)
  const [id = ''] = await insertCalls(service.db, accountId, [{ recording: 'spooled' }])
  await storeRecording(service, id, sound, 6)
  const file = await readFile(join(service.dataDir, 'recordings/2026/11/15', `${id}.wav`))
  expect(file.includes(sound.subarray(0, 100))).toBe(false)
  const link = (await service.api.get(`/calls/${id}`, admin)).body.record_url
  const whole = await fetch(link)
  expect(whole.headers.get('content-length')).toBe('200000')
  expect(Buffer.from(await whole.arrayBuffer()).equals(sound)).toBe(true)
  const part = await fetch(link, { headers: { range: 'bytes=65530-65600' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 65530-65600/200000'])
  expect(Buffer.from(await part.arrayBuffer()).equals(sound.subarray(65_530, 65_601))).toBe(true)
  const last = await fetch(link, { headers: { range: 'bytes=-5' } })
  expect(Buffer.from(await last.arrayBuffer()).equals(sound.subarray(-5))).toBe(true)
})
