/** Spec §4.6 and §2.5: integrations. */
import Value from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Integration } from '../../../src/contract/webhooks/integrations.ts'
import { exampleOf } from '../../../src/http/reference/examples/example.ts'
import { hours } from '../../helpers/run/test-clock.ts'
import { filter } from '../../helpers/service/client.ts'
import { addUser, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { tablesWith } from '../../helpers/stored/secrets.ts'

let service: Service
let admin: Awaited<ReturnType<typeof openAccount>>
let codes = 0

beforeAll(async () => {
  service = await startService()
  admin = await openAccount(service)
})
afterAll(() => service.stop())

const settings = {
  webhookUrl: 'https://crm.example/hooks?tenant=7',
  webhookVersion: 'v1.4',
  webhookTypes: ['channel-hangup'],
}
const newIntegration = () => ({ gateway: `crm-${++codes}`, webhook: true, metadata: settings })
const patch = (input: object, who: { token: string } = admin) =>
  service.api.patch('/integrations', input, who)

describe('PATCH /integrations', () => {
  test('without id creates, and answers the integration with its secret (§2.5, D80, D87)', async () => {
    const input = { ...newIntegration(), webhookConstraint: { campaign: 'spring' } }
    const { status, body } = await patch(input)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...input, id: expect.any(Number), lastError: null, lastErrorAt: null })
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect([...Value.Errors(Integration, body)]).toEqual([])
  })

  test('the example of an Integration is one', () => {
    expect([...Value.Errors(Integration, exampleOf(Integration))]).toEqual([])
  })

  test('takes an integration without a webhook, whatever its metadata', async () => {
    const metadata = { webhookUrl: 7, anything: [null, { deep: 1.5 }] }
    const { status, body } = await patch({ gateway: 'plain', metadata })
    expect([status, body.webhook, body.metadata, body.webhookConstraint]).toEqual([200, false, metadata, {}])
  })

  test('refuses a gateway the user has already, and says to send the ID (D80)', async () => {
    const input = newIntegration()
    await patch(input)
    const { status, body } = await patch(input)
    expect(status).toBe(422)
    expect(body.error.message).toBe('User integration already exists, please send ID to update')
    expect(body.error.details.codes).toEqual({ gateway: ['uniqueness'] })
  })

  test('two that race with the same gateway make one', async () => {
    const input = newIntegration()
    const answers = await Promise.all([patch(input), patch(input), patch(input)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
  })

  test('another user may have the same gateway', async () => {
    const bia = await addUser(service, admin)
    const input = newIntegration()
    expect([(await patch(input)).status, (await patch(input, bia)).status]).toEqual([200, 200])
  })

  test('keeps the gateway exactly as sent (D80)', async () => {
    const gateway = ' Ação/CRM ® '
    expect((await patch({ gateway })).body.gateway).toBe(gateway)
    expect((await patch({ gateway: '' })).status).toBe(422)
    expect((await patch({ gateway: 'x'.repeat(65) })).status).toBe(422)
    expect((await patch({ webhook: false })).body.error.details.codes).toEqual({ gateway: ['presence'] })
  })

  test('with id changes what is sent, the metadata as a whole (D80)', async () => {
    const { body: made } = await patch({ ...newIntegration(), webhookConstraint: { a: 1 } })
    const metadata = { ...settings, webhookVersion: '1.8', note: null }
    const { status, body } = await patch({ id: made.id, metadata })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: made.id, gateway: made.gateway, webhook: true, secret: made.secret })
    expect(body.metadata).toEqual(metadata)
    expect(body.webhookConstraint).toEqual({ a: 1 })
    const bare = await patch({ id: String(made.id), webhook: false, metadata: {}, webhookConstraint: null })
    expect(bare.body).toMatchObject({ webhook: false, metadata: {}, webhookConstraint: null })
    expect((await patch({ id: made.id, webhook: true })).status).toBe(422)
  })

  test('an unknown id, and that of another user, is 404 (D80)', async () => {
    const bia = await addUser(service, admin)
    const { body: hers } = await patch(newIntegration(), bia)
    for (const id of [hers.id, 999_999_999]) {
      const { status, body } = await patch({ id, webhook: false })
      expect([status, body.error.code]).toEqual([404, 'INTEGRATION_NOT_FOUND'])
    }
  })

  test.each([
    ['no URL', { webhookTypes: ['channel-hangup'] }, 'webhookUrl'],
    ['no http URL', { ...settings, webhookUrl: 'ftp://crm.example/' }, 'webhookUrl'],
    [
      'a URL that is too long',
      { ...settings, webhookUrl: `https://crm.example/${'x'.repeat(2048)}` },
      'webhookUrl',
    ],
    ['this machine', { ...settings, webhookUrl: 'http://localhost:3000/' }, 'webhookUrl'],
    ['this machine in hexadecimal', { ...settings, webhookUrl: 'http://0x7f.1/' }, 'webhookUrl'],
    ['a private address', { ...settings, webhookUrl: 'http://10.1.2.3/' }, 'webhookUrl'],
    ['no types', { webhookUrl: settings.webhookUrl }, 'webhookTypes'],
    ['an empty list of types', { ...settings, webhookTypes: [] }, 'webhookTypes'],
    ['an unknown type', { ...settings, webhookTypes: ['channel-hangup', 'channel-x'] }, 'webhookTypes'],
    ['types that are no list', { ...settings, webhookTypes: 'channel-hangup' }, 'webhookTypes'],
    ['an unknown version', { ...settings, webhookVersion: '2.0' }, 'webhookVersion'],
  ])('a webhook with %s is 422 (D81)', async (_what, metadata, field) => {
    const { status, body } = await patch({ ...newIntegration(), metadata })
    expect(status).toBe(422)
    expect(Object.keys(body.error.details.codes)).toEqual([`metadata.${field}`])
  })

  test.each(['1.8', 'v1.8', '1.4', 'v1.4', '', undefined])(
    'takes version %s (D81)',
    async (webhookVersion) => {
      const { status, body } = await patch({ ...newIntegration(), metadata: { ...settings, webhookVersion } })
      expect([status, body.metadata.webhookVersion]).toEqual([200, webhookVersion])
    },
  )

  test.each([
    ['flat', { a: '1' }],
    ['nested', { metadata: { a: '1' } }],
    ['both at once', { b: true, metadata: { a: '1' } }],
    ['nothing', {}],
    ['null', null],
  ])('takes a constraint that is %s and shows it as sent (D82)', async (_what, webhookConstraint) => {
    const { status, body } = await patch({ ...newIntegration(), webhookConstraint })
    expect([status, body.webhookConstraint]).toEqual([200, webhookConstraint])
  })

  test.each([
    ['a text', 'webhookConstraint', 'x'],
    ['a list', 'webhookConstraint', ['x']],
    ['metadata of 17 KiB', 'metadata', { ...settings, x: 'x'.repeat(17_000) }],
    ['metadata nine levels deep', 'metadata', JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`)],
  ])('refuses %s as %s', async (_what, field, value) => {
    const { status, body } = await patch({ ...newIntegration(), [field]: value })
    expect(status).toBe(422)
    expect(Object.keys(body.error.details.codes)).toContain(field)
  })
})

describe('a webhookUrl with user and password (D151)', () => {
  const withUrl = (webhookUrl: string) => ({ ...settings, webhookUrl })

  test('is taken, shown masked, and stored sealed', async () => {
    const input = { ...newIntegration(), metadata: withUrl('https://ana:s3cr%40t@crm.example/x') }
    const { status, body } = await patch(input)
    expect([status, body.metadata.webhookUrl]).toEqual([200, 'https://ana:***@crm.example/x'])
    expect(await tablesWith(service.db, 'https://crm.example/x')).toContain('integrations')
    expect(await tablesWith(service.db, 's3cr')).toEqual([])
  })

  test('sent back masked changes nothing; another URL with the mask is refused', async () => {
    const made = (await patch({ ...newIntegration(), metadata: withUrl('https://ana:pw@crm.example/x') }))
      .body
    const login = async () =>
      (await service.db.selectFrom('integrations').select('url_login').where('id', '=', made.id).execute())[0]
        ?.url_login
    const before = await login()
    expect((await patch({ id: made.id, metadata: made.metadata })).body.metadata).toEqual(made.metadata)
    expect((await patch({ id: made.id, webhook: true })).status).toBe(200)
    expect(await login()).toEqual(before)
    const moved = await patch({ id: made.id, metadata: withUrl('https://ana:***@evil.example/x') })
    expect(moved.status).toBe(422)
    expect(
      (await patch({ ...newIntegration(), metadata: withUrl('https://ana:***@crm.example/') })).status,
    ).toBe(422)
    await patch({ id: made.id, metadata: withUrl('https://crm.example/x') })
    expect(await login()).toBeNull()
  })

  test.each([
    [undefined, 'is required'],
    [7, 'must be a text'],
    ['crm.example/x', 'must begin with http:// or https://'],
    ['https://crm.example/a b', 'must have no spaces, line breaks or backslashes'],
    ['https://:8080/', 'must name a host and, if any, a port from 0 to 65535'],
    ['http://10.1.2.3/', 'must be on the public network: this host is local or private'],
  ])('%j is refused with a sentence of its own', async (webhookUrl, message) => {
    const { status, body } = await patch({ ...newIntegration(), metadata: { ...settings, webhookUrl } })
    expect([status, body.error.details.messages['metadata.webhookUrl']]).toEqual([422, [message]])
  })
})

describe('one integration by its id (D150)', () => {
  test('is shown to its owner alone', async () => {
    const bia = await addUser(service, admin)
    const { body: hers } = await patch(newIntegration(), bia)
    expect((await service.api.get(`/integrations/${hers.id}`, bia)).body).toEqual(hers)
    expect((await service.api.get(`/integrations/${hers.id}`, admin)).status).toBe(404)
    expect((await service.api.get('/integrations/x', bia)).status).toBe(404)
  })

  test('is removed by its owner alone, and its gateway is free again', async () => {
    const bia = await addUser(service, admin)
    const input = newIntegration()
    const { body: hers } = await patch(input, bia)
    expect((await service.api.delete(`/integrations/${hers.id}`, admin)).status).toBe(404)
    const gone = await service.api.delete(`/integrations/${hers.id}`, bia)
    expect([gone.status, gone.body]).toEqual([200, { id: hers.id }])
    expect((await service.api.get(`/integrations/${hers.id}`, bia)).status).toBe(404)
    expect((await service.api.delete(`/integrations/${hers.id}`, bia)).status).toBe(404)
    expect((await patch(input, bia)).status).toBe(200)
    const audit = `/accounts/audit?page=1&${filter({ where: { subject: input.gateway } })}`
    const actions = (await service.api.get(audit, admin)).body.data.map(
      ({ action }: { action: string }) => action,
    )
    expect(actions).toContain('integration.removed')
  })

  test.each([null, 0, ''])('id: %j creates, as no id does (D80)', async (id) => {
    expect((await patch({ ...newIntegration(), id })).status).toBe(200)
  })

  test('an empty list is an empty object, null as if left out (D377)', async () => {
    const { body } = await patch({ gateway: `crm-${++codes}`, metadata: [], webhookConstraint: [] })
    expect(body).toMatchObject({ metadata: {}, webhookConstraint: {} })
    const { body: made } = await patch(newIntegration())
    expect((await patch({ id: made.id, metadata: null })).body.metadata).toEqual(settings)
    expect((await patch({ gateway: `crm-${++codes}`, metadata: [1] })).status).toBe(422)
  })
})

describe('GET /integrations', () => {
  test('answers a bare array of the caller’s own, which gateway searches (D27, D54)', async () => {
    const bia = await addUser(service, admin)
    const { body: hers } = await patch(newIntegration(), bia)
    await patch(newIntegration(), bia)
    const all = await service.api.get('/integrations', bia)
    expect(all.body).toHaveLength(2)
    const found = await service.api.get(`/integrations?${filter({ where: { gateway: hers.gateway } })}`, bia)
    expect(found.body).toEqual([hers])
    const others = await service.api.get(`/integrations?${filter({ where: { id: hers.id } })}`, admin)
    expect(others.body).toEqual([])
  })

  test('never searches by the secret (D25)', async () => {
    const { status } = await service.api.get(
      `/integrations?${filter({ where: { secret: 'whsec_' } })}`,
      admin,
    )
    expect(status).toBe(400)
  })
})

test('the secret is sealed in the database', async () => {
  const { body } = await patch(newIntegration())
  expect(body.secret).toMatch(/^whsec_/)
  const shared = await tablesWith(service.db, body.secret.slice('whsec_'.length))
  expect([shared, await tablesWith(service.db, 'whsec_')]).toEqual([[], []])
})

test('a rotated secret is another, and the old one holds for 24 hours (D87)', async () => {
  const { body: made } = await patch(newIntegration())
  const { status, body } = await service.api.post(`/integrations/${made.id}/rotate-secret`, undefined, admin)
  expect(status).toBe(200)
  expect(body.secret).not.toBe(made.secret)
  const end = service.clock.now().getTime() + 24 * hours * 1000
  expect(body.previousSecretUntil).toBe(new Date(end).toISOString())
  const bia = await addUser(service, admin)
  expect((await service.api.post(`/integrations/${made.id}/rotate-secret`, undefined, bia)).status).toBe(404)
})

test('what is done to integrations is in the audit log', async () => {
  const { body: made } = await patch(newIntegration())
  await patch({ id: made.id, webhook: false })
  await service.api.post(`/integrations/${made.id}/rotate-secret`, undefined, admin)
  const { body } = await service.api.get(
    `/accounts/audit?page=1&${filter({ where: { subject: made.gateway } })}`,
    admin,
  )
  expect(body.data.map((entry: { action: string }) => entry.action)).toEqual([
    'integration.secret-rotated',
    'integration.updated',
    'integration.created',
  ])
})
