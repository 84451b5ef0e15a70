/** Who may register: challenges, passwords and how often. */
import { describe, expect, test } from 'vitest'
import { digests } from '../../../sip/digest/auth-header.ts'
import type { Credentials } from '../../port.ts'
import {
  createPhone,
  createTestRegistrar,
  domain,
  extension,
  header,
  settle,
  tcp,
  udp,
} from './testing/test-registrar.ts'

describe('a phone that registers', () => {
  test('D473: registers thirty times at once and then once a second, from however many connections', () => {
    const server = createTestRegistrar()
    const register = (connection: number) =>
      createPhone(server, { flow: tcp(`198.51.100.${connection}`, connection) }).sign()
    const statuses = Array.from({ length: 40 }, (_, n) => register(1 + (n % 12))[0]?.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    const refused = register(99)
    expect(refused).toEqual([])
    // A refused attempt changes nothing.
    expect(server.emitted().filter((type) => type === 'registered')).toHaveLength(30)
    expect(createPhone(server, { number: '1001' }).register()?.status).toBe(200)
    server.pass(5)
    expect([refused[0]?.status, header(refused[0], 'Retry-After')]).toEqual([503, '5'])
    expect(register(1)[0]?.status).toBe(200)
  })

  test('D473: a wrong password uses up nothing that the phone needs', () => {
    const server = createTestRegistrar()
    for (let n = 0; n < 25; n++) createPhone(server, { password: 'wrong' }).register()
    for (let n = 0; n < 30; n++) expect(createPhone(server).register()?.status).toBe(200)
  })

  test('gets one challenge, with MD5 and the domain of the account, as some phones give up at a second one (D124)', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server)
    const [answer] = server.send(phone.request([phone.contactHeader()]), phone.phone.flow)
    expect(answer?.status).toBe(401)
    const asked = answer ? digests(answer, 'WWW-Authenticate') : []
    expect(asked.map(({ params }) => params.get('algorithm'))).toEqual(['MD5'])
    expect(asked.map(({ params }) => params.get('realm'))).toEqual([domain])
    expect(asked.every(({ params }) => params.get('qop') === 'auth')).toBe(true)
    expect(server.judged).toEqual([])
  })

  test('leaves no state before it shows credentials: only the first challenge is stateless', () => {
    const server = createTestRegistrar()
    expect(createPhone(server).register()?.status).toBe(200)
    createPhone(server, { password: 'wrong' }).register()
    server.timers.advance(300)
    expect(server.stateless).toEqual([401, 401])
  })

  test('gets its 200 when its registration is stored, and after a second in any case (D423)', async () => {
    let store = () => {}
    const server = createTestRegistrar({ stored: () => new Promise((resolve) => (store = resolve)) })
    const phone = createPhone(server)
    const answers = phone.sign()
    await settle()
    expect(answers).toEqual([])
    store()
    await settle()
    expect(answers.map(({ status }) => status)).toEqual([200])
    // A refresh changes nothing that others see.
    expect(phone.register()?.status).toBe(200)

    const slow = createTestRegistrar({ stored: () => new Promise(() => {}) })
    const late = createPhone(slow).sign()
    slow.timers.advance(1_000)
    await settle()
    expect(late.map(({ status }) => status)).toEqual([200])
  })

  test('is reported to the guard once its password was right', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server, { userAgent: 'Desk 1.0' })
    expect(phone.register()?.status).toBe(200)
    expect(server.registrar.registration(extension)).toMatchObject({ extension, userAgent: 'Desk 1.0' })
    expect(server.judged).toEqual([['good', phone.phone.flow.remote]])
  })

  test('gets the same response after the same time for a wrong password and an unknown extension (D111)', () => {
    const answersOf = (number: string, host: string, password: string) => {
      const server = createTestRegistrar()
      const phone = createPhone(server, { number, host, password, callId: 'same', flow: udp('203.0.113.1') })
      const [challenge] = server.send(phone.request([phone.contactHeader()]), phone.phone.flow)
      const signed = challenge && phone.digest.answer(phone.request([phone.contactHeader()]), challenge)
      const answers = signed ? server.send(signed, phone.phone.flow) : []
      server.timers.advance(299)
      const early = answers.length
      server.timers.advance(1)
      const names = answers[0]?.headers.map(({ name }) => name)
      return { early, status: answers[0]?.status, names, judged: server.judged, events: server.emitted() }
    }
    const wrong = answersOf('1000', domain, 'guessed')
    expect(wrong).toMatchObject({ early: 0, status: 401, events: [] })
    expect(wrong.judged).toEqual([['failed', { address: '203.0.113.1', port: 5060 }]])
    expect(answersOf('4711', domain, 'guessed')).toEqual(wrong)
    expect(answersOf('1000', 'nobody.example', 'guessed')).toEqual(wrong)
    expect(answersOf('reception', domain, 'guessed')).toEqual(wrong)
  })

  test('cannot register an extension with the password of another', () => {
    const server = createTestRegistrar()
    expect(createPhone(server, { number: '1000', username: '1001', password: 'secret 1001' }).status()).toBe(
      401,
    )
    expect(createPhone(server, { username: '1000@other.example' }).status()).toBe(401)
  })

  test('may register at our own address, and says the domain in the user name', () => {
    const server = createTestRegistrar({ ownHosts: ['sip.example'] })
    for (const host of ['192.0.2.1', 'sip.example', domain]) {
      expect(createPhone(server, { host, username: `1000@${domain}` }).status()).toBe(200)
    }
    expect(createPhone(server, { host: '192.0.2.1', username: '1000' }).status()).toBe(401)
  })

  test('is challenged again when its nonce expired, and that is no failure', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server)
    const [challenge] = server.send(phone.request([phone.contactHeader()]), phone.phone.flow)
    server.pass(301)
    const signed = challenge && phone.digest.answer(phone.request([phone.contactHeader()]), challenge)
    const [answer] = signed ? server.send(signed, phone.phone.flow) : []
    expect(header(answer, 'WWW-Authenticate')).toContain('stale=true')
    expect(server.judged).toEqual([])
  })

  test('does not fail by a nonce that was never ours', () => {
    const server = createTestRegistrar()
    const phone = createPhone(server)
    const authorization = `Digest username="1000", realm="${domain}", nonce="x", uri="sip:a", response="b"`
    const request = phone.request([phone.contactHeader(), ['Authorization', authorization]])
    const answers = server.send(request, phone.phone.flow)
    server.timers.advance(300)
    expect([answers[0]?.status, server.judged]).toEqual([401, []])
  })

  test('waits for the lookup of the password, and gets 503 if that fails', async () => {
    const server = createTestRegistrar({ credentials: async () => ({ password: 'secret 1000' }) })
    const phone = createPhone(server)
    phone.register()
    await expect.poll(() => server.registrar.count()).toBe(1)
    const broken = createTestRegistrar({ credentials: () => Promise.reject(new Error('database down')) })
    const other = createPhone(broken)
    const [challenge] = broken.send(other.request([other.contactHeader()]), other.phone.flow)
    const signed = challenge && other.digest.answer(other.request([other.contactHeader()]), challenge)
    const answers = signed ? broken.send(signed, other.phone.flow) : []
    await expect.poll(() => answers[0]?.status).toBe(503)
    expect(header(answers[0], 'Retry-After')).toBe('20')
  })

  test('is not accepted if the password changed, or its connection closed, during the lookup', async () => {
    for (const [spoil, status] of [
      ['forget', 401],
      ['close', 503],
    ] as const) {
      const lookup = Promise.withResolvers<Credentials>()
      const server = createTestRegistrar({ credentials: () => lookup.promise })
      const phone = createPhone(server, { flow: tcp('198.51.100.9', 7) })
      const [challenge] = server.send(phone.request([phone.contactHeader()]), phone.phone.flow)
      const signed = challenge && phone.digest.answer(phone.request([phone.contactHeader()]), challenge)
      const answers = signed ? server.send(signed, phone.phone.flow) : []
      if (spoil === 'forget') server.registrar.forget(extension)
      else server.registrar.onConnectionClosed(phone.phone.flow)
      lookup.resolve({ password: 'secret 1000' })
      await expect.poll(() => answers[0]?.status).toBe(status)
      expect(server.registrar.count()).toBe(0)
    }
  })
})
