import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Office,
  openOffice,
  startVoiceService,
  type VoiceService,
} from '../../test/helpers/service/voice.ts'
import { createLog } from '../kit/process/log.ts'
import { createNotices } from '../store/notices/notices.ts'
import { createExtensionProfiles } from './profiles.ts'

let service: VoiceService
let office: Office
let accountId: number

beforeAll(async () => {
  service = await startVoiceService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  office = await openWithNumber(service)
  accountId = await accountIdOf(office)
})

let offices = 0
const numberOf = (count: number) => `55483333${4000 + count}`

/** With a number that no other account has. */
function openWithNumber(at: VoiceService): Promise<Office> {
  offices += 1
  return openOffice(at, { bina: `+${numberOf(offices)}` })
}

/** A second process on the same database. */
async function startProcess() {
  const notices = createNotices({ connectionString: service.database.url }, createLog('silent'))
  const { db, clock } = service
  const profiles = createExtensionProfiles({ db, clock, notices, acceptsSandbox: true })
  await notices.connect()
  return { ...profiles, profile: () => profiles.findByNumber(accountId, '1000'), stop: notices.stop }
}

describe('the profile of an extension (D385)', () => {
  test('is read once, and then known without a statement', async () => {
    const { profile, stop } = await startProcess()
    const first = await profile()
    expect(first).toMatchObject({ number: '1000', callerNumber: numberOf(offices), domain: office.domain })
    expect(profile()).toBe(first)
    await stop()
  })

  const changes = {
    'the extension': sql`update extensions set record_calls = not record_calls where account_id = `,
    'the owner of the extension': sql`update extensions set user_id = null where account_id = `,
    'the proof of its number': sql`update numbers set proof = null, verified_at = null where account_id = `,
    'the time zone of the account': sql`update accounts set time_zone = 'America/Manaus' where id = `,
    'its removal': sql`delete from extensions where account_id = `,
  }

  test.each(Object.entries(changes))('is read again when another process changes %s', async (_, change) => {
    const { profile, stop } = await startProcess()
    const before = await profile()
    await sql`${change}${accountId}`.execute(service.db)
    await expect.poll(() => profile()).not.toEqual(before)
    await stop()
  })

  test('stays known when another account changes one of its own', async () => {
    const other = await openWithNumber(service)
    const otherId = await accountIdOf(other)
    const { profile, findByNumber, stop } = await startProcess()
    const before = await profile()
    const ofOther = await findByNumber(otherId, '1000')
    await service.api.patch('/extensions', { id: await idOf(other), gravar_audio: 1 }, other)
    await expect.poll(() => findByNumber(otherId, '1000')).not.toEqual(ofOther)
    expect(profile()).toBe(before)
    await stop()
  })
})

describe('a change of this process counts for its next call, before the notice of it arrives:', () => {
  let silent: VoiceService

  beforeAll(async () => {
    silent = await startVoiceService()
    silent.app.services.base.notices.listen('profiles_changed', () => {})
  })
  afterAll(() => silent.stop())

  const changes: Record<string, (who: Office) => Promise<unknown>> = {
    'of an extension': async (who) =>
      silent.api.patch('/extensions', { id: await idOf(who, silent), gravar_audio: 1 }, who),
    'its removal': async (who) => silent.api.delete(`/extensions/${await idOf(who, silent)}`, who),
    'of the time zone': (who) => silent.api.patch('/accounts/settings', { timeZone: 'America/Manaus' }, who),
    'of who has its number': () =>
      silent.app.services.extensions.numberAssignments.release(numberOf(offices)),
  }

  test.each(Object.entries(changes))('%s', async (_, change) => {
    const who = await openWithNumber(silent)
    const id = await accountIdOf(who, silent)
    const profile = () => silent.app.services.extensions.profiles.findByNumber(id, '1000')
    const before = await profile()
    expect(profile()).toBe(before)
    await change(who)
    expect(await profile()).not.toEqual(before)
  })
})

async function idOf(who: Office, at = service): Promise<number> {
  return Number((await at.api.get('/extensions', who)).body[0].id)
}

async function accountIdOf({ domain }: Office, at = service): Promise<number> {
  const account = at.db.selectFrom('accounts').select('id').where('domain', '=', domain)
  return (await account.executeTakeFirstOrThrow()).id
}
