/** D209: links to recordings can be revoked, and are stored without their signature. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver } from '../../helpers/programs/receiver.ts'
import { accountIdOf, type CallFields, insertCalls } from '../../helpers/service/call-rows.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { tablesWith } from '../../helpers/stored/secrets.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>

beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  admin = await openAccount(service)
})
afterAll(() => service.stop())

async function keepRecording(fields: CallFields = { recording: 'stored' }): Promise<string> {
  const accountId = await accountIdOf(service.db, admin.domain)
  const [call = ''] = await insertCalls(service.db, accountId, [fields])
  const folder = join(service.dataDir, 'recordings/2026/11/15')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${call}.wav`), 'sound')
  return call
}

const linkOf = async (call: string): Promise<string> =>
  (await service.api.get(`/calls/${call}`, admin)).body.record_url
const revoke = (call: string, { token } = admin) =>
  service.api.post(`/calls/${call}/recording/revoke`, undefined, { token })

test('revoking makes the links of a call invalid, and the answer has a new one', async () => {
  const [id, other] = [await keepRecording(), await keepRecording()]
  const links = [await linkOf(id)]
  for (const version of [1, 2]) {
    const { status, body } = await revoke(id)
    expect([status, body.id]).toEqual([200, id])
    expect(body.record_url).toContain(`&version=${version}&signature=`)
    expect(await linkOf(id)).toBe(body.record_url)
    for (const old of links) {
      const refused = await fetch(old)
      expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
        403,
        'RECORDING_LINK_INVALID',
      ])
    }
    expect(await (await fetch(body.record_url)).text()).toBe('sound')
    links.push(body.record_url)
  }
  const [first = '', second = '', third = ''] = links
  expect((await fetch(third.replace('version=2', 'version=1'))).status).toBe(403)
  expect((await fetch(third.replace('&version=2', ''))).status).toBe(403)
  expect((await fetch(`${first}&version=2`)).status).toBe(403)
  expect((await fetch(second.replace('version=1', 'version=2'))).status).toBe(403)
  expect((await fetch(await linkOf(other))).status).toBe(200)
  const plain = first.split('?')[0] ?? ''
  expect((await fetch(plain, { headers: { authorization: admin.token } })).status).toBe(200)
  const { body } = await service.api.get('/accounts/audit?page=1', admin)
  expect(body.data[0]).toMatchObject({ action: 'recording.links-revoked', actor: admin.email, subject: id })
})

test('is for ADMINs of the account, and for calls with a recording', async () => {
  const id = await keepRecording()
  const link = await linkOf(id)
  const user = await addUser(service, admin)
  expect((await revoke(id, { ...admin, token: user.token })).status).toBe(403)
  const stranger = await openAccount(service)
  for (const [call, token] of [
    [id, stranger.token],
    [crypto.randomUUID(), admin.token],
    ['x', admin.token],
  ] as const) {
    const { status, body } = await revoke(call, { ...admin, token })
    expect([status, body.error.code]).toEqual([404, 'RECORDING_NOT_FOUND'])
  }
  expect((await fetch(link)).status).toBe(200)
})

test('the link in a webhook, in the feed and in a delivery is signed; the stored event has no signature', async () => {
  const receiver = await startReceiver()
  const metadata = { webhookUrl: receiver.url, webhookTypes: ['recording-ready'] }
  const { body: integration } = await service.api.patch(
    '/integrations',
    { gateway: 'crm', webhook: true, metadata },
    admin,
  )
  const trap = 'recordUrl":"https://x/calls/0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d/recording?expires=9'
  const own = { trap, recordUrl: 'https://mine' }
  const id = await keepRecording({ recording: 'spooled', metadata: own })
  await service.tick('unmarked recordings')
  const link = await linkOf(id)
  const signature = new URL(link).searchParams.get('signature') ?? ''
  expect(signature).not.toBe('')
  expect(await tablesWith(service.db, signature)).toEqual([])
  expect(await tablesWith(service.db, `/calls/${id}/recording?expires=`)).toContain('events')
  const { body: feed } = await service.api.get('/events', admin)
  expect(feed.data.at(-1)).toMatchObject({ recordUrl: link, metadata: own })
  await service.tick('webhook deliveries')
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(receiver.received[0]?.body).toMatchObject({ recordUrl: link, metadata: own })
  const { body: list } = await service.api.get(`/integrations/${integration.id}/deliveries?page=1`, admin)
  const { body: one } = await service.api.get(
    `/integrations/${integration.id}/deliveries/${list.data[0].id}`,
    admin,
  )
  expect(one.payload).toMatchObject({ recordUrl: link })
  await receiver.stop()
})

test('DELETE removes the sound of a call for good, for ADMINs; the call stays (D303)', async () => {
  const [id, agent] = [await keepRecording(), await addUser(service, admin)]
  const link = await linkOf(id)
  const path = `/calls/${id}/recording`
  expect((await service.api.delete(path, agent)).status).toBe(403)
  expect((await service.api.delete(path, await openAccount(service))).status).toBe(404)
  const { status, body } = await service.api.delete(path, admin)
  expect([status, body.id, body.record_url]).toEqual([200, id, ''])
  expect((await fetch(link)).status).toBe(404)
  expect((await service.api.delete(path, admin)).status).toBe(404)
  const { body: log } = await service.api.get('/accounts/audit?page=1', admin)
  expect(log.data[0]).toMatchObject({ action: 'recording.removed', actor: admin.email, subject: id })
})
