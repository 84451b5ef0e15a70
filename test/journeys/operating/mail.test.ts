/** Mail goes over real SMTP when a mail server is named, else it stays in the development mailbox. */
import { afterEach, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/kit/process/log.ts'
import { type MailServer, readQuotedPrintable, startMailServer } from '../../helpers/programs/mail-server.ts'
import { minutes } from '../../helpers/run/test-clock.ts'
import { createClient } from '../../helpers/service/client.ts'
import { newSignup, openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
let mailServer: MailServer | undefined

// The service stops first: a mail server waits until its clients have disconnected.
afterEach(async () => {
  await service.stop()
  await mailServer?.stop()
  mailServer = undefined
})

describe('with a mail server', () => {
  test('the confirmation mail arrives, its link works, and its body is deleted', async () => {
    mailServer = await startMailServer()
    const { taken } = mailServer
    service = await startService({ SMTP_URL: mailServer.url, MAIL_FROM: 'Ramal <no-reply@ramal.example>' })
    const signup = newSignup()
    await service.api.post('/accounts/signup', signup)
    await expect.poll(() => taken.length).toBe(1)
    const [mail] = taken
    expect(mail).toMatchObject({ from: 'no-reply@ramal.example', to: signup.email })
    const link = readQuotedPrintable(mail?.text ?? '').match(/http:\/\/\S+token=\w+/)?.[0] ?? ''
    expect((await fetch(link, { method: 'POST' })).status).toBe(200)
    await expect
      .poll(async () => await service.db.selectFrom('mails').select(['body', 'next_at']).execute())
      .toEqual([{ body: null, next_at: null }])
  })

  test('a mail that is refused is tried again later, and not lost', async () => {
    mailServer = await startMailServer()
    const { taken, state } = mailServer
    state.refusing = true
    service = await startService({ SMTP_URL: mailServer.url, MAIL_FROM: 'no-reply@ramal.example' })
    await service.api.post('/accounts/signup', newSignup())
    const row = () =>
      service.db.selectFrom('mails').select(['attempts', 'last_error', 'sent_at']).executeTakeFirst()
    await expect.poll(row).toMatchObject({ attempts: 1, last_error: expect.stringContaining('later') })
    state.refusing = false
    expect(await service.tick('mail')).toBe(0)
    service.clock.advance(10)
    expect(await service.tick('mail')).toBe(1)
    expect(taken).toHaveLength(1)
    expect(await row()).toMatchObject({ attempts: 2, last_error: null, sent_at: service.clock.now() })
  })

  test('a mail taken by a process that died is sent by another', async () => {
    service = await startService({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@ramal.example' })
    await service.api.post('/accounts/signup', newSignup())
    const due = () => service.db.selectFrom('mails').select('next_at').executeTakeFirstOrThrow()
    await expect
      .poll(async () => (await due()).next_at?.getTime())
      .toBeGreaterThan(service.clock.now().getTime())
    service.clock.advance(30 * minutes)
    expect(await service.tick('mail')).toBe(1)
  })

  test('there is no mailbox page', async () => {
    service = await startService({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@ramal.example' })
    expect((await createClient(service.url).get('/mailbox')).status).toBe(404)
  })
})

describe('without a mail server', () => {
  test('the development mailbox page shows the mail with its link, and the log has the link', async () => {
    const lines: string[] = []
    const log = createLog('info', { destination: { write: (line: string) => lines.push(line) } })
    service = await startService({}, { log })
    const signup = { ...newSignup(), organization_name: '<b>Aurora</b>' }
    await service.api.post('/accounts/signup', signup)
    await expect.poll(() => lines.some((line) => line.includes('development mailbox'))).toBe(true)
    const { status, body: page } = await service.operator.get('/mailbox')
    expect(status).toBe(200)
    expect(page).toContain(signup.email)
    expect(page).not.toContain('<b>Aurora')
    const link = /href="(http[^"]+token=\w+)"/.exec(page)?.[1] ?? ''
    expect(lines.some((line) => line.includes(link))).toBe(true)
    expect((await fetch(link, { method: 'POST' })).status).toBe(200)
  })

  test('mail is stored encrypted: the database alone does not reveal the link', async () => {
    service = await startService()
    await openAccount(service)
    const { body } = await service.db.selectFrom('mails').select('body').executeTakeFirstOrThrow()
    expect(body?.toString('latin1')).not.toContain('token=')
  })

  test('D109: beyond this machine the mailbox page is closed, unless there is an OPERATOR_TOKEN', async () => {
    service = await startService({ HOST: '0.0.0.0' })
    expect((await createClient(service.url).get('/mailbox')).status).toBe(404)
    await service.stop()
    service = await startService({ HOST: '0.0.0.0', OPERATOR_TOKEN: 'an operator token of 32 letters.' })
    expect((await createClient(service.url).get('/mailbox')).status).toBe(401)
    expect((await service.operator.get('/mailbox')).status).toBe(200)
  })
})
