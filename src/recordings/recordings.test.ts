import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestClock, days } from '../../test/helpers/run/test-clock.ts'
import { createTestDatabase } from '../../test/helpers/run/test-database.ts'
import { type CallFields, insertAccount, insertCalls, live } from '../../test/helpers/service/call-rows.ts'
import { createCallAnnouncer } from '../calls/announcer.ts'
import { createSpool } from '../engine/embedded/spool.ts'
import { uuidv7 } from '../kit/ids.ts'
import { createLog } from '../kit/process/log.ts'
import { createTestTimers, type TestTimers } from '../kit/testing/test-timers.ts'
import { wavHeader } from '../media/sound/wav.ts'
import { openDatabase, openPool } from '../store/database.ts'
import { createRecordingIntake, type RecordingIntake } from './recording-intake.ts'
import { createRecordings, type Recordings } from './recordings.ts'
import { createFolderStore } from './storage/folder.ts'

const database = await createTestDatabase()
const pool = openPool({ connectionString: database.url }, { size: 4, onError: () => {} })
const db = openDatabase(pool)
let account = 0
let home: string
let spool: string
let clock: ReturnType<typeof createTestClock>
let timers: TestTimers
let recordings: Recordings
let intake: RecordingIntake
let announced: string[]

beforeAll(async () => {
  account = await insertAccount(db)
})
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ramal-recordings-'))
  spool = join(home, 'spool')
  await mkdir(spool)
  clock = createTestClock()
  // The calls of these tests ended long enough ago that nothing is held (D155).
  clock.advance(60)
  const store = createFolderStore(join(home, 'kept'))
  announced = []
  const announcer = createCallAnnouncer({
    webhooks: {
      async announceCalls(_tx, announcements) {
        announced.push(...announcements.map(({ type, callId }) => `${type} ${callId}`))
        return []
      },
      prepareCalls: async () => async () => [],
      publish() {},
    },
    unsignedLinkOf: () => '',
  })
  timers = createTestTimers()
  recordings = createRecordings({ db, store, clock, timers, days: 90 })
  intake = createRecordingIntake({ db, store, clock, log: createLog('silent'), announcer })
})
afterEach(() => rm(home, { recursive: true }))
afterAll(async () => {
  await pool.end()
  await database.drop()
})

async function addCall(fields: CallFields = {}): Promise<string> {
  const [id = ''] = await insertCalls(db, account, [fields])
  return id
}

const frames = 16_000
const sound = Buffer.concat([wavHeader(frames), Buffer.alloc(frames * 4, 7)])

/** Last written so many seconds ago. */
async function record(id: string, bytes: Buffer = sound, secondsAgo = 60): Promise<string> {
  const path = join(spool, `${id}.wav`)
  await writeFile(path, bytes)
  const at = clock.now().getTime() / 1000 - secondsAgo
  await utimes(path, at, at)
  return path
}

const engineSpool = () => createSpool({ folder: spool, clock })

const recordingAt = (path: string, bytes: number) => engineSpool().toRecording({ path, seconds: 2, bytes })

/** What the loops do, with an engine that has no live call. */
async function tick() {
  await intake.adopt(engineSpool().abandoned(() => false))
  await intake.confirm()
  await recordings.sweep()
}

const stateOf = async (id: string) =>
  await db
    .selectFrom('calls')
    .select(['recording', 'recording_seconds', 'recording_bytes'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

async function listen(id: string): Promise<Buffer> {
  return await buffer((await recordings.open(id, { accountId: account })).read())
}

const stored = { recording: 'stored', recording_seconds: 2, recording_bytes: sound.length }

test('what the engine recorded is kept once the call has ended', async () => {
  const id = await addCall({ recording: 'spooled' })
  const path = await record(id)
  await intake.take(id, recordingAt(path, sound.length))
  expect(await stateOf(id)).toEqual(stored)
  expect(await listen(id)).toEqual(sound)
  expect(await readdir(spool)).toEqual([])
  await tick()
  expect(announced).toEqual([`recording-ready ${id}`])
})

test('what could not be kept at once is kept by the loop', async () => {
  const id = await addCall({ recording: 'spooled' })
  await intake.take(id, recordingAt(join(spool, 'missing.wav'), 9))
  expect(await stateOf(id)).toMatchObject({ recording: 'spooled' })
  await expect(listen(id)).rejects.toMatchObject({ code: 'RECORDING_NOT_FOUND', retryAfter: 5 })
  await record(id)
  await tick()
  expect(await stateOf(id)).toEqual(stored)
})

test('one that was moved before its process was killed is marked when it is taken again, or by the loop', async () => {
  const id = await addCall({ recording: 'spooled' })
  const path = await record(id)
  await intake.take(id, recordingAt(path, sound.length))
  const forget = db.updateTable('calls').set({ recording: 'spooled' }).where('id', '=', id)
  await forget.execute()
  await intake.take(id, recordingAt(path, sound.length))
  expect(await stateOf(id)).toEqual(stored)
  await forget.execute()
  await tick()
  expect(await stateOf(id)).toEqual(stored)
})

test('the recording of a killed process is made whole and kept, once others have ended its call', async () => {
  const id = await addCall(live('answered'))
  // The header is behind, and half a frame is missing.
  const path = await record(id, Buffer.concat([wavHeader(8000), Buffer.alloc(frames * 4 + 2, 7)]))
  await tick()
  expect((await stat(path)).size).toBe(44 + frames * 4 + 2)
  const end = {
    status: 'completed',
    ended_at: clock.now(),
    hangup_cause: 'RECOVERY_ON_TIMER_EXPIRE',
  } as const
  await db.updateTable('calls').set(end).where('id', '=', id).execute()
  await tick()
  expect(await stateOf(id)).toEqual(stored)
  expect(await listen(id)).toEqual(sound)
})

test('a file that is still being written is left alone, though its call is over', async () => {
  const id = await addCall()
  await record(id, sound, 3)
  await tick()
  expect(await stateOf(id)).toMatchObject({ recording: null })
  expect(await readdir(spool)).toEqual([`${id}.wav`])
})

test('a recording of nothing is no recording', async () => {
  const id = await addCall({ recording: 'spooled' })
  await record(id, Buffer.alloc(0))
  await tick()
  expect(await stateOf(id)).toMatchObject({ recording: 'removed' })
  expect(await readdir(spool)).toEqual([])
})

test.each([
  ['of nothing', Buffer.alloc(0), []],
  ['that cannot be read', Buffer.alloc(100, 'x'), ['unreadable']],
])(
  'a recording %s is no recording, though the database was away when that was found',
  async (_what, bytes, left) => {
    const id = await addCall({ recording: 'spooled' })
    await record(id, bytes)
    await sql`create rule calls_stay as on update to calls do instead select 1 / 0`.execute(db)
    await intake.adopt(engineSpool().abandoned(() => false))
    await sql`drop rule calls_stay on calls`.execute(db)
    await tick()
    expect(await stateOf(id)).toMatchObject({ recording: 'removed' })
    expect(await readdir(spool)).toEqual(left)
  },
)

test('a file of no call goes after a day; what is named otherwise is not ours', async () => {
  await record(uuidv7(clock.now()))
  await writeFile(join(spool, 'notes.txt'), 'x')
  await tick()
  expect(await readdir(spool)).toHaveLength(2)
  clock.advance(2 * days)
  await tick()
  expect(await readdir(spool)).toEqual(['notes.txt'])
})

test('a file of no call that a machine with a wrong clock dated long ago stays as long as any (D515)', async () => {
  const path = await record(uuidv7(clock.now()), sound, 60 * days)
  await tick()
  expect((await stat(path)).size).toBe(sound.length)
})

test('after the retention a recording is removed, and the call knows', async () => {
  const ended_at = clock.now()
  const id = await addCall({ recording: 'spooled', ended_at })
  await intake.take(id, recordingAt(await record(id), sound.length))
  clock.advance(89 * days)
  await tick()
  expect(await stateOf(id)).toMatchObject({ recording: 'stored' })
  clock.advance(2 * days)
  await tick()
  expect(await stateOf(id)).toMatchObject({ recording: 'removed' })
  await expect(listen(id)).rejects.toMatchObject({ code: 'RECORDING_NOT_FOUND', retryAfter: undefined })
  await expect(readFile(join(home, 'kept/2026/11/15', `${id}.wav`))).rejects.toThrow(/ENOENT/)
})

test('with a folder for each machine, the files go from the one that has them, whichever marked the calls (D230)', async () => {
  const id = await addCall({ recording: 'spooled', ended_at: clock.now(), started_at: clock.now() })
  await intake.take(id, recordingAt(await record(id), sound.length))
  const path = join(home, 'kept/2026/11/15', `${id}.wav`)
  const elsewhere = createFolderStore(join(home, 'worker'))
  const worker = createRecordings({ db, store: elsewhere, clock, timers, days: 90 })
  clock.advance(91 * days)
  await worker.sweep()
  expect(await stateOf(id)).toMatchObject({ recording: 'removed' })
  expect((await stat(path)).size).toBe(sound.length)
  clock.advance(3 * days)
  await recordings.sweepFiles()
  await expect(stat(path)).rejects.toThrow(/ENOENT/)
})

test('an account may keep recordings for less time, and change its mind (D325)', async () => {
  const own = await insertAccount(db)
  const keepFor = (recording_days: number) =>
    db.updateTable('accounts').set({ recording_days }).where('id', '=', own).execute()
  async function addRecording(accountId: number) {
    const at = { started_at: clock.now(), ended_at: clock.now() }
    const [id = ''] = await insertCalls(db, accountId, [{ ...at, recording: 'spooled' }])
    await intake.take(id, recordingAt(await record(id), sound.length))
    return id
  }
  const states = (ids: string[]) => Promise.all(ids.map(async (id) => (await stateOf(id)).recording))
  await keepFor(30)
  const first = [await addRecording(own), await addRecording(account)]
  clock.advance(29 * days)
  await tick()
  expect(await states(first)).toEqual(['stored', 'stored'])
  clock.advance(2 * days)
  await tick()
  expect(await states(first)).toEqual(['removed', 'stored'])
  const second = await addRecording(own)
  await keepFor(60)
  clock.advance(50 * days)
  await tick()
  expect(await states([second])).toEqual(['stored'])
  await keepFor(10)
  await tick()
  expect(await states([second])).toEqual(['removed'])
})

test('what is kept already, or no longer, does not stay in the spool', async () => {
  const ids = [await addCall({ recording: 'stored' }), await addCall({ recording: 'removed' })]
  for (const id of ids) await record(id)
  await tick()
  expect(await readdir(spool)).toEqual([])
  expect(await Promise.all(ids.map(stateOf))).toMatchObject([
    { recording: 'stored' },
    { recording: 'removed' },
  ])
})

test('of a call that ended just now the request is held until the recording is stored, 2 s at most (D155)', async () => {
  const ended_at = clock.now()
  const fresh = await addCall({ ended_at, recording: 'spooled' })
  const opened = recordings.open(fresh, { accountId: account })
  await expect.poll(() => timers.waiting()).toBe(1)
  await intake.take(fresh, recordingAt(await record(fresh), sound.length))
  timers.advance(50)
  const found = await opened
  expect(found.callId).toBe(fresh)
  await found.close()

  const slow = recordings
    .open(await addCall({ ended_at, recording: 'spooled' }), { accountId: account })
    .catch((error) => error)
  let waitedMs = 0
  for (const ms of [50, 100, 250, 500, 1000]) {
    await expect.poll(() => timers.waiting()).toBe(1)
    timers.advance(ms)
    waitedMs += ms
  }
  expect(await slow).toMatchObject({ code: 'RECORDING_NOT_FOUND', retryAfter: 5 })
  expect(waitedMs).toBeLessThan(2000)

  clock.advance(60)
  const old = recordings.open(await addCall({ ended_at, recording: 'spooled' }), { accountId: account })
  await expect(old).rejects.toMatchObject({ code: 'RECORDING_NOT_FOUND', retryAfter: 5 })
  expect(timers.waiting()).toBe(0)
})
