/** D643: the report of a month, mailed once to the ADMINs of accounts that switched it on. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type App, startApp } from '../../../src/app/start.ts'
import { readConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/kit/process/log.ts'
import { type MailServer, readQuotedPrintable, startMailServer } from '../../helpers/programs/mail-server.ts'
import { accountIdOf, insertCalls } from '../../helpers/service/call-rows.ts'
import { followPayments, payAtSandbox } from '../../helpers/service/money.ts'
import { release, suspend } from '../../helpers/service/operator.ts'
import { addUser, newSignup, press } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'
import { lockTable } from '../../helpers/stored/table-lock.ts'

let mailServer: MailServer
let service: Service
let other: App

beforeAll(async () => {
  mailServer = await startMailServer()
  const settings = { SMTP_URL: mailServer.url, MAIL_FROM: 'no-reply@ramal.example' }
  service = await startService({ ...settings, TRIAL_CREDIT: '0' })
  const config = readConfig({
    ...settings,
    ROLES: 'worker',
    // It serves no console, and links to that of others.
    CONSOLE: 'on',
    PUBLIC_URL: service.url,
    PORT: '0',
    DATA_DIR: service.dataDir,
    DATABASE_URL: service.database.url,
    DATABASE_POOL: '6',
    PAYMENT_GATEWAY: 'sandbox',
  })
  other = await startApp(config, { clock: service.clock, log: createLog('silent') })
  // Only the tests run jobs.
  await Promise.all([service.app.jobs.stop(), other.jobs.stop()])
})
// The mail server waits until its clients have disconnected.
afterAll(async () => {
  await other.stop()
  await service.stop()
  await mailServer.stop()
})

const setClock = (time: string) =>
  service.clock.shift((Date.parse(time) - service.clock.now().getTime()) / 1000)

const job = 'monthly reports'
const isReport = ({ text }: { text: string }) => /^Subject: .*(Relat|Report)/m.test(text)

/** The bodies of the reports that arrived at an address. */
async function reportsTo(email: string): Promise<string[]> {
  while (Number(await service.tick('mail')) > 0);
  return mailServer.taken
    .filter((mail) => mail.to === email && isReport(mail))
    .map(({ text }) => readQuotedPrintable(text))
}

/** Its token lasts; after the test it gets no reports. */
async function openAccountAt(time: string, settings: object = { monthlyReport: true }) {
  setClock(time)
  const signup = newSignup()
  await service.api.post('/accounts/signup', signup)
  await service.tick('mail')
  const confirmation = mailServer.taken.find(({ to }) => to === signup.email)?.text ?? ''
  await press(/http\S+token=\w+/.exec(readQuotedPrintable(confirmation))?.[0] ?? '')
  const { body: session } = await service.api.post('/users/login', signup)
  const { body } = await service.api.post('/users/accessTokens', { ttl: -1 }, { token: session.id })
  const account = { ...signup, token: String(body.id) }
  const set = (change: object) => service.api.patch('/accounts/settings', change, account)
  expect((await set(settings)).status).toBe(200)
  onTestFinished(async () => {
    await set({ monthlyReport: false })
  })
  return { ...account, set }
}

test('on the 1st at 06:00 of the account each ADMIN gets the figures of the month, once', async () => {
  const ana = await openAccountAt('2026-10-01T12:00:00Z')
  const accountId = await accountIdOf(service.db, ana.domain)
  const bia = await addUser(service, ana)
  const stranger = await addUser(service, ana, 'ADMIN')
  const person = { senha: 's3nha-do-ramal', first_name: 'Bia', last_name: 'Lima', email_address: bia.email }
  await service.api.post('/extensions', { ...person, ramal: '1000' }, ana)
  const answered = { answered_at: new Date('2026-10-05T12:00:00Z'), duration: 90, call_price: 45 }
  const [sold = ''] = await insertCalls(service.db, accountId, [
    // The first and the last second of October in São Paulo, and those around them.
    { ...answered, started_at: new Date('2026-10-01T03:00:00Z'), user_uuid: bia.uuid },
    { ...answered, started_at: new Date('2026-11-01T02:59:59Z'), user_uuid: bia.uuid },
    { ...answered, started_at: new Date('2026-10-10T12:00:00Z'), from_number: '1001' },
    { started_at: new Date('2026-10-11T12:00:00Z'), user_uuid: bia.uuid },
    { ...answered, started_at: new Date('2026-10-01T02:59:59Z') },
    { started_at: new Date('2026-09-10T12:00:00Z') },
    { started_at: new Date('2026-11-01T03:00:00Z') },
  ])
  await service.api.patch(`/calls/${sold}`, { outcome: 'sale' }, ana)
  setClock('2026-10-20T12:00:00Z')
  const order = { amount: 1234.5, dueDate: '2026-10-25', paymentMethod: 'PIX', description: 'Créditos' }
  const { body: charge } = await service.api.post('/charges', order, ana)
  await payAtSandbox(charge.paymentLink)
  await followPayments(service)

  setClock('2026-11-01T08:59:59Z')
  await other.jobs.run(job)
  expect(await reportsTo(ana.email)).toEqual([])
  setClock('2026-11-01T09:00:00Z')
  await other.jobs.run(job)
  await service.tick(job)
  const [report, ...more] = await reportsTo(ana.email)
  expect(more).toEqual([])
  expect(report).toBe(`Olá!

Chamadas da conta ${ana.domain} em outubro de 2026, comparadas com setembro de 2026.

Chamadas: 4 (antes: 2, +100%)
Taxa de atendimento: 75% (antes: 50%, +25 p.p.)
Minutos: 5 (antes: 2, +150%)
Custo: R$ 1,35 (antes: R$ 0,45, +200%)

Ramais com mais chamadas
- 1000 Bia Lima: 3 chamadas, 67% atendidas, 3 min, R$ 0,90
- 1001: 1 chamadas, 100% atendidas, 2 min, R$ 0,45

Usuários com mais chamadas
- ${bia.name}: 3 chamadas, 67% atendidas, 3 min, R$ 0,90

Resultados
- Venda: 1 chamadas, 100% atendidas, 2 min, R$ 0,45
- sem resultado: 3 chamadas, 67% atendidas, 3 min, R$ 0,90

Crédito
Recargas pagas: R$ 1.234,50
Saldo no fim de 31 de outubro de 2026: R$ 1.234,50

O mesmo período no console, dia a dia e com as chamadas de cada número:
${service.url}/console/reports?since=2026-10-01&until=2026-10-31

--
Este relatório chega no dia 1º de cada mês aos administradores da conta que confirmaram o e-mail.
Para não receber mais: um administrador o desliga na página Relatórios do console, ou com monthlyReport em PATCH /accounts/settings.
`)
  // A USER, and an ADMIN whose address nobody has confirmed (D145).
  expect([await reportsTo(bia.email), await reportsTo(stranger.email)]).toEqual([[], []])
})

test('the figures are those that GET /calls/stats answers for the same days', async () => {
  const ana = await openAccountAt('2026-10-01T12:00:00Z', { monthlyReport: true, language: 'en' })
  const accountId = await accountIdOf(service.db, ana.domain)
  const hour = (n: number) => new Date(Date.parse('2026-09-30T00:00:00Z') + n * 3_600_000)
  const calls = Array.from({ length: 800 }, (_, n) => ({
    started_at: hour(n),
    from_number: String(1000 + (n % 7)),
    ...(n % 3 === 0 && { answered_at: hour(n), duration: n, call_price: n }),
  }))
  await insertCalls(service.db, accountId, calls)
  const span = 'from=2026-10-01T00:00:00-03:00&to=2026-11-01T00:00:00-03:00'
  const { body } = await service.api.get(`/calls/stats?${span}`, ana)
  const sum = (field: string) =>
    body.data.reduce((total: number, row: Record<string, number>) => total + (row[field] ?? 0), 0)
  setClock('2026-11-01T10:00:00Z')
  await service.tick(job)
  const [report = ''] = await reportsTo(ana.email)
  const count = (value: number) => Math.round(value).toLocaleString('en')
  expect(report).toContain(`Calls: ${count(sum('calls'))} (`)
  expect(report).toContain(`Minutes: ${count(sum('seconds') / 60)} (`)
  expect(report).toContain(`Cost: R$${sum('cost').toLocaleString('en', { minimumFractionDigits: 2 })} (`)
  expect(report.match(/^- 100\d: /gm)).toHaveLength(5)
})

test('the first report is that of the month in which it was switched on', async () => {
  const rui = await openAccountAt('2026-10-15T12:00:00Z')
  const early = await openAccountAt('2026-11-01T08:00:00Z')
  const late = await openAccountAt('2026-11-01T10:00:00Z')
  setClock('2026-10-31T23:00:00Z')
  await service.tick(job)
  expect(await reportsTo(rui.email)).toHaveLength(0)
  setClock('2026-11-01T11:00:00Z')
  await service.tick(job)
  const got = async () => {
    const counts: number[] = []
    for (const { email } of [rui, early, late]) counts.push((await reportsTo(email)).length)
    return counts
  }
  expect(await got()).toEqual([1, 1, 0])
  // Switched off and on, nothing comes again.
  await rui.set({ monthlyReport: false })
  await rui.set({ monthlyReport: true })
  await early.set({ monthlyReport: false })
  await service.tick(job)
  expect(await got()).toEqual([1, 1, 0])
  setClock('2026-12-01T11:00:00Z')
  await service.tick(job)
  expect(await got()).toEqual([2, 1, 1])
  expect((await reportsTo(late.email))[0]).toContain('em novembro de 2026')
})

test('a service that was down sends the newest month when it is back, and no older one', async () => {
  const rui = await openAccountAt('2026-08-15T12:00:00Z')
  setClock('2026-11-20T12:00:00Z')
  await service.tick(job)
  await service.tick(job)
  const reports = await reportsTo(rui.email)
  expect(reports.map((text) => /em (\S+ de 2026)/.exec(text)?.[1])).toEqual(['outubro de 2026'])
})

test('a suspended account gets its report after the release', async () => {
  const rui = await openAccountAt('2026-10-15T12:00:00Z')
  await suspend(service, rui.domain)
  setClock('2026-11-01T12:00:00Z')
  await service.tick(job)
  expect(await reportsTo(rui.email)).toHaveLength(0)
  await release(service, rui.domain)
  await service.tick(job)
  expect(await reportsTo(rui.email)).toHaveLength(1)
})

test('a time zone that is changed on the 1st makes no second report', async () => {
  const rui = await openAccountAt('2026-10-15T12:00:00Z', { monthlyReport: true, timeZone: 'Asia/Tokyo' })
  setClock('2026-10-31T21:00:00Z')
  await service.tick(job)
  await rui.set({ timeZone: 'America/Sao_Paulo' })
  await service.tick(job)
  setClock('2026-11-01T09:00:00Z')
  await service.tick(job)
  expect(await reportsTo(rui.email)).toHaveLength(1)
})

test('two processes that work at once send each report once', async () => {
  const accounts: { email: string }[] = []
  for (let n = 0; n < 8; n += 1) accounts.push(await openAccountAt('2026-10-15T12:00:00Z'))
  setClock('2026-11-01T12:00:00Z')
  const work = () => [service.tick(job), other.jobs.run(job)]
  await Promise.all([...work(), ...work()])
  for (const { email } of accounts) expect(await reportsTo(email)).toHaveLength(1)
})

test('a process that dies between the record and the mail leaves the report to another', async () => {
  const rui = await openAccountAt('2026-10-15T12:00:00Z')
  setClock('2026-11-01T12:00:00Z')
  const lock = await lockTable(service.database.url, 'mails', 'writers')
  const dying = service.tick(job)
  await expect.poll(lock.waiting).toBe(1)
  await lock.breakWaiting()
  await dying
  await lock.unlock()
  expect(await reportsTo(rui.email)).toHaveLength(0)
  await other.jobs.run(job)
  expect(await reportsTo(rui.email)).toHaveLength(1)
  service.clock.advance(2 * 3600)
  await service.tick(job)
  expect(await reportsTo(rui.email)).toHaveLength(1)
})
