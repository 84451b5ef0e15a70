/** Trunks at the operator's desk: added, switched, tested and removed while the service runs (D624). */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { trunkWords } from '../../console/operator/trunks/words.ts'
import { operatorWords } from '../../console/operator/words.ts'
import { commonWords } from '../../console/words/common.ts'
import type { ApiDocument } from '../../src/http/reference/document.ts'
import { faultsOf } from '../helpers/description/api-description.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { createClient, fetchAsOperator } from '../helpers/service/client.ts'
import { openAccount } from '../helpers/service/people.ts'
import { type Service, startService } from '../helpers/service/service.ts'
import { expectAccessible, openConsole, startChromium } from './console-browser.ts'

const password = 'a secret of the carrier'
const settings = {
  CONSOLE: 'on',
  TRUNKS: JSON.stringify([
    { name: 'main', address: 'sip:192.0.2.1', username: 'u', password, services: ['190'] },
  ]),
}
let service: Service
beforeAll(async () => {
  service = await startService(settings)
  await service.app.consoleBuild?.finished
})
afterAll(() => service?.stop())

const clientOf = ({ url, app }: Service) =>
  createClient(`${url}/operator/api`, fetchAsOperator(app.operatorToken?.token ?? ''))
const operator = () => clientOf(service)
const reason = 'Contract with another carrier'
const backup = (name: string) => ({
  name,
  address: 'sip:192.0.2.2:5070;transport=tcp',
  username: 'ramal',
  password,
  register: true,
  prefixes: ['55'],
  priority: 2,
  channels: 30,
  reason,
})
const add = (body: object) => operator().post('/trunks', body)
const list = async () => (await operator().get('/trunks')).body.rows
const find = async (name: string) => (await list()).find((trunk: { name: string }) => trunk.name === name)
/** As the engine of this process uses them. */
const inUse = () => service.app.services.trunks.stored.inUse().map(({ name }) => name)

test('a trunk is added, used at once, and removed; passwords never come back', async () => {
  const { status, body } = await add(backup('added'))
  expect([status, body]).toEqual([
    200,
    {
      name: 'added',
      source: 'stored',
      on: true,
      settings: {
        address: 'sip:192.0.2.2:5070;transport=tcp',
        transport: 'tcp',
        username: 'ramal',
        hasPassword: true,
        register: true,
        format: 'e164',
        callerId: null,
        from: 'number',
        trust: [],
        prefixes: ['55'],
        services: [],
        priority: 2,
        weight: 1,
        channels: 30,
        callsPerSecond: 20,
        qualifySeconds: 60,
        codecs: ['PCMA', 'PCMU'],
        srtp: false,
        nodes: [],
      },
      nodes: [],
    },
  ])
  await expect.poll(inUse).toEqual(['main', 'added'])
  expect(JSON.stringify(await list())).not.toContain(password)
  const stored = await service.db.selectFrom('trunks').select('settings').executeTakeFirstOrThrow()
  expect(String(stored.settings)).not.toContain(password)
  expect((await operator().post('/trunks/added/remove', { reason })).body).toEqual({ name: 'added' })
  await expect.poll(inUse).toEqual(['main'])
  expect(await find('added')).toBeUndefined()
  const { rows } = (await operator().get('/log')).body
  expect(rows.slice(0, 2)).toMatchObject([
    { action: 'trunk.removed', subject: 'added', reason },
    { action: 'trunk.added', subject: 'added', reason },
  ])
  expect(JSON.stringify(rows)).not.toContain(password)
})

test('a trunk is changed while it is used: what is left out stays, the password too, and the log says what was (D668)', async () => {
  await add(backup('edited'))
  const edit = (body: object) => operator().patch('/trunks/edited', { reason, ...body })
  const { status, body } = await edit({ address: 'sip:192.0.2.9', channels: 60, prefixes: [] })
  expect([status, body.settings]).toMatchObject([
    200,
    {
      address: 'sip:192.0.2.9',
      transport: 'udp',
      username: 'ramal',
      hasPassword: true,
      register: true,
      prefixes: [],
      priority: 2,
      channels: 60,
    },
  ])
  const used = () =>
    service.app.services.trunks.stored.inUse().find(({ name }: { name: string }) => name === 'edited')
  await expect.poll(() => used()?.address).toBe('sip:192.0.2.9')
  expect(used()?.login).toEqual({ username: 'ramal', password })
  const newest = async () => (await operator().get('/log')).body.rows[0]
  expect(await newest()).toMatchObject({
    action: 'trunk.changed',
    subject: 'edited',
    reason,
    details: {
      address: 'sip:192.0.2.2:5070;transport=tcp → sip:192.0.2.9',
      channels: '30 → 60',
      prefixes: '55 → –',
    },
  })
  const before = (await newest()).id
  expect((await edit({ channels: 60 })).status).toBe(200)
  expect((await newest()).id).toBe(before)
  await edit({ password: 'another secret' })
  expect((await newest()).details).toEqual({ password: 'changed' })
  await expect.poll(() => used()?.login?.password).toBe('another secret')
  await edit({ username: null, password: null, register: false })
  await expect.poll(() => used()?.login).toBeUndefined()
  await operator().post('/trunks/edited/remove', { reason })
})

test.each([
  [{ address: 'carrier.example' }, 'address'],
  [{ username: null }, 'username'],
  [{ channels: 0 }, 'channels'],
  [{ reason: ' ' }, 'reason'],
])('a change to %j is refused with what is wrong, and the trunk stays as it was', async (change, field) => {
  await add(backup('kept'))
  const { status, body } = await operator().patch('/trunks/kept', { reason, ...change })
  expect([status, Object.keys(body.error.details.codes)]).toEqual([422, [field]])
  expect(await find('kept')).toMatchObject({
    settings: { address: backup('kept').address, username: 'ramal', channels: 30 },
  })
  await operator().post('/trunks/kept/remove', { reason })
})

test('a trunk of TRUNKS is switched off and on, and can be neither changed nor removed', async () => {
  const change = (on: boolean) => operator().post('/trunks/main/switch', { on, reason })
  expect((await change(false)).body).toMatchObject({ name: 'main', source: 'setting', on: false })
  await expect.poll(inUse).toEqual([])
  const before = (await operator().get('/log')).body.total
  expect((await change(false)).body.on).toBe(false)
  expect((await operator().get('/log')).body.total).toBe(before)
  expect((await change(true)).body.on).toBe(true)
  await expect.poll(inUse).toEqual(['main'])
  const removal = await operator().post('/trunks/main/remove', { reason })
  expect([removal.status, removal.body.error.details.codes]).toEqual([422, { name: ['exclusion'] }])
  const edit = await operator().patch('/trunks/main', { channels: 5, reason })
  expect([edit.status, edit.body.error.details.codes]).toEqual([422, { name: ['exclusion'] }])
})

test('short numbers are called while a trunk that takes them is on (D272)', async () => {
  const { serviceNumbers } = service.app.services.trunks.stored
  expect([...serviceNumbers]).toEqual(['190'])
  await add({ name: 'short', address: 'sip:192.0.2.3', services: ['192'], reason })
  await expect.poll(() => [...serviceNumbers]).toEqual(['190', '192'])
  await operator().post('/trunks/short/remove', { reason })
  await expect.poll(() => [...serviceNumbers]).toEqual(['190'])
})

test('what was changed holds after a restart', async () => {
  const own = await startService(settings)
  onTestFinished(() => own.stop())
  const shown = async () => (await clientOf(own).get('/trunks')).body.rows
  await clientOf(own).post('/trunks', backup('kept'))
  await clientOf(own).post('/trunks/main/switch', { on: false, reason })
  await own.restart(async () => {})
  expect(await shown()).toMatchObject([
    { name: 'main', source: 'setting', on: false },
    { name: 'kept', source: 'stored', on: true, settings: { hasPassword: true } },
  ])
})

test.each([
  [{ address: 'carrier.example' }, 'address'],
  [{ username: 'u' }, 'password'],
  [{ register: true }, 'register'],
  [{ srtp: true }, 'srtp'],
  [{ trust: ['x'] }, 'trust'],
  [{ codecs: ['G729'] }, 'codecs'],
  [{ channels: 0 }, 'channels'],
  [{ name: 'two words' }, 'name'],
  [{ name: 'main' }, 'name'],
  [{ reason: ' ' }, 'reason'],
])('%j is refused with what is wrong', async (more, field) => {
  const least = { name: 'wrong', address: 'sip:192.0.2.4', reason }
  const { status, body } = await add({ ...least, ...more })
  expect([status, Object.keys(body.error.details.codes)]).toEqual([422, [field]])
  expect(await find('wrong')).toBeUndefined()
})

test('of trunks that are added at once no more are stored than the limit allows, each name once', async () => {
  const many = (name: string) => add({ name: `many-${name}`, address: 'sip:192.0.2.5', reason })
  for (let count = 1; count <= 60; count += 1) expect((await many(String(count))).status).toBe(200)
  const answers = await Promise.all(['a', 'a', 'b', 'c', 'd'].map(many))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 422, 422])
  expect(await list()).toHaveLength(64)
  await service.db.deleteFrom('trunks').where('name', 'like', 'many-%').execute()
  await operator().post('/trunks/main/switch', { on: false, reason })
  await operator().post('/trunks/main/switch', { on: true, reason })
  await expect.poll(inUse).toEqual(['main'])
})

test('a test asks every voice node, also for a trunk that is off', async () => {
  await add({ ...backup('tested'), on: false })
  const { status, body } = await operator().post('/trunks/tested/test')
  expect([status, body]).toEqual([
    200,
    {
      name: 'tested',
      works: true,
      nodes: [
        {
          node: service.app.node.id,
          host: expect.any(String),
          state: 'answered',
          responses: [
            { address: expect.stringContaining('192.0.2.2'), status: 200, reason: 'OK', milliseconds: 0 },
          ],
        },
      ],
    },
  ])
  await operator().post('/trunks/tested/remove', { reason })
  await add({ ...backup('bound'), nodes: ['198.51.100.1'] })
  expect((await operator().post('/trunks/bound/test')).body).toMatchObject({
    works: false,
    nodes: [{ state: 'not-used', responses: [] }],
  })
  await operator().post('/trunks/bound/remove', { reason })
})

test('a trunk that does not exist is 404, and trunks are for the operator alone', async () => {
  expect((await operator().patch('/trunks/nobody', { channels: 5, reason })).status).toBe(404)
  for (const [path, body] of [
    ['switch', { on: false, reason }],
    ['remove', { reason }],
    ['test', undefined],
  ] as const) {
    expect((await operator().post(`/trunks/nobody/${path}`, body)).status).toBe(404)
  }
  const who = await openAccount(service)
  expect((await createClient(`${service.url}/operator/api`).get('/trunks', who)).status).toBe(401)
})

test('every answer is as described (D618)', async () => {
  const description = (await operator().get('/openapi.json')).body as ApiDocument
  const answers = {
    OperatorTrunk: (await add(backup('described'))).body,
    OperatorTrunks: (await operator().get('/trunks')).body,
    OperatorTrunkTest: (await operator().post('/trunks/described/test')).body,
    OperatorTrunkRemoved: (await operator().post('/trunks/described/remove', { reason })).body,
  }
  for (const [name, answer] of Object.entries(answers)) {
    const faults = faultsOf(description, { $ref: `#/components/schemas/${name}` }, answer)
    expect([name, faults]).toEqual([name, []])
  }
})

test('with the sandbox carrier no trunk is added: calls would cost money that nobody paid', async () => {
  const sandbox = await startService({ CONSOLE: 'on' })
  onTestFinished(() => sandbox.stop())
  const { body } = await clientOf(sandbox).get('/trunks')
  expect(body).toEqual({ sandbox: true, rows: [] })
  const refused = await clientOf(sandbox).post('/trunks', backup('first'))
  expect([refused.status, refused.body.error.details.codes]).toEqual([422, { name: ['exclusion'] }])
})

describe.skipIf(programMissing('chromium'))('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())

  test.each([
    { language: 'pt', locale: 'pt-BR', width: 1280, theme: 'light', name: 'spare-pt' },
    { language: 'en', locale: 'en-GB', width: 360, theme: 'dark', name: 'spare-en' },
  ] as const)(
    'the operator adds, tests, changes, switches and removes by keyboard ($language, $width px)',
    async (story) => {
      const { language, locale, width, theme, name } = story
      const words = operatorWords[language]
      const own = trunkWords[language]
      const common = commonWords[language]
      const { context, page, errors } = await openConsole(browser, service.url, {
        locale,
        colorScheme: theme,
        width,
      })
      onTestFinished(() => context.close())
      const press = async (label: string) => {
        await page.getByRole('button', { name: label, exact: true }).first().focus()
        await page.keyboard.press('Enter')
      }
      const dialog = page.getByRole('dialog')
      await page.goto(`/operator?token=${service.app.operatorToken?.token}`)
      await page.getByRole('heading', { level: 1, name: words.overview }).waitFor()
      // On a telephone the page is behind "more".
      if (width === 360) await press(common.more)
      await page.getByRole('link', { name: words.trunks }).last().focus()
      await page.keyboard.press('Enter')
      await page.getByText('sip:192.0.2.1').waitFor()
      await expectAccessible(page, 'trunks')

      await press(own.add)
      await dialog.getByLabel(own.name, { exact: true }).fill(name)
      await dialog.getByLabel(own.address).fill('192.0.2.7')
      await dialog.getByLabel(own.addOff).check()
      await dialog.getByLabel(words.reason).fill(reason)
      await page.keyboard.press('Enter')
      await dialog.locator('[aria-invalid=true]').waitFor()
      await expectAccessible(page, 'new trunk')
      await dialog.getByLabel(own.address).fill('sip:192.0.2.7')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      expect(await find(name)).toMatchObject({ on: false })

      await press(`${own.test} ${name}`)
      await dialog.getByText(own.works).waitFor()
      await expectAccessible(page, 'test')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })

      await press(`${common.edit} ${name}`)
      expect(await dialog.getByLabel(own.address).inputValue()).toBe('sip:192.0.2.7')
      await dialog.getByLabel(own.channels).fill('')
      await dialog.getByLabel(own.channels).pressSequentially('12')
      await dialog.getByLabel(own.services).fill('190, 192')
      await dialog.getByLabel(words.reason).fill(reason)
      await expectAccessible(page, 'edit')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      expect((await find(name)).settings).toMatchObject({ channels: 12, services: ['190', '192'] })

      await press(`${own.switchOn} ${name}`)
      await dialog.getByLabel(words.reason).fill(reason)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: `${own.switchOff} ${name}` }).waitFor()
      expect(await find(name)).toMatchObject({ on: true })

      await press(`${common.remove} ${name}`)
      await dialog.getByLabel(words.reason).fill(reason)
      await expectAccessible(page, 'remove')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('sip:192.0.2.7').waitFor({ state: 'detached' })
      expect(await find(name)).toBeUndefined()
      expect(errors).toEqual([])
    },
  )
})
