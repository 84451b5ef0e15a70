/** Passwords guessed at full speed: from an office that is known, from ever new ports, and from many addresses. */
import { expect, test } from 'vitest'
import { keep, openEngineSetup, type TestScope } from '../../sip/engine/engine-setup.ts'
import { openCarrier } from '../../sip/engine/test-carrier.ts'
import { openRawPhone } from '../sip/raw-phone.ts'

/** Only 127.0.0.1 counts as this machine: other loopback addresses stand for the Internet. */
const isThisMachine = (address: string) => address === '127.0.0.1'

async function setUp(t: TestScope) {
  const carrier = await openCarrier(t)
  const office = keep(t, await openEngineSetup(carrier.port, { isThisMachine }))
  const phone = async (options: Parameters<typeof openRawPhone>[1]) =>
    keep(t, await openRawPhone(office.port, options))
  /** One guess from a port of its own; the first line of the response, or undefined if there is none in time. */
  async function guess(address: string, password: string, number = '1000', patienceMs = 1_500) {
    const guesser = await openRawPhone(office.port, { address, password, number })
    const answer = await Promise.race([
      guesser.register(),
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patienceMs)),
    ]).catch(() => undefined)
    await guesser.stop()
    return answer?.split('\r\n', 1)[0]
  }
  /** The answer to a guess that is not silenced, however busy this machine is. */
  const answerTo = (address: string, password: string, number?: string) =>
    guess(address, password, number, 30_000)
  return { ...office, phone, guess, answerTo }
}

test('D112: from ever new ports of a known office, guesses add up to a debt; its phones go on', async (t) => {
  const { phone, guess, engine } = await setUp(t)
  const honest = await phone({ address: '127.0.0.21', number: '1001' })
  expect(await honest.register()).toMatch(/^SIP\/2\.0 200/)
  const failures = () => engine.metrics().register_failures_total ?? 0
  const silenced = () => engine.metrics().guard_silenced_total ?? 0
  let guesses = 0
  // Different extensions, so that the budget of one of them is not what stops the guesser.
  for (let round = 0; round < 20 && silenced() < 20; round += 1) {
    await Promise.all(Array.from({ length: 25 }, () => guess('127.0.0.21', 'guess', `${2000 + guesses++}`)))
  }
  expect(silenced()).toBeGreaterThanOrEqual(20)
  const before = failures()
  await Promise.all(Array.from({ length: 25 }, () => guess('127.0.0.21', 'guess', `${2000 + guesses++}`)))
  expect(failures() - before).toBeLessThan(10)
  expect(await honest.register()).toMatch(/^SIP\/2\.0 200/)
})

test('D181: from many addresses, an extension can be guessed at thirty times; its phone is not locked out', async (t) => {
  const { phone, guess, answerTo, engine } = await setUp(t)
  const honest = await phone({ address: '127.0.0.21' })
  expect(await honest.register()).toMatch(/^SIP\/2\.0 200/)
  for (let n = 0; n < 5; n += 1) {
    await Promise.all(
      Array.from({ length: 8 }, (_, one) => guess(`127.0.1.${n * 8 + one}`, `guess ${n} ${one}`)),
    )
  }
  expect(engine.metrics().register_failures_total).toBe(40)
  // The right password, from an address that is not known: looked at no more.
  expect(await answerTo('127.0.2.1', 'password-of-1000')).toMatch(/^SIP\/2\.0 401/)
  expect(await honest.register()).toMatch(/^SIP\/2\.0 200/)
  expect(await answerTo('127.0.2.1', 'password-of-1001', '1001')).toMatch(/^SIP\/2\.0 200/)
})

test('D181: an attempt that is not checked is no failure of its source, which is not silenced for it', async (t) => {
  const { guess, answerTo, engine } = await setUp(t)
  for (let n = 0; n < 5; n += 1) {
    await Promise.all(
      Array.from({ length: 8 }, (_, one) => guess(`127.0.1.${n * 8 + one}`, `guess ${n} ${one}`)),
    )
  }
  for (let n = 0; n < 12; n += 1) {
    expect(await answerTo('127.0.2.1', 'password-of-1000')).toMatch(/^SIP\/2\.0 401/)
  }
  expect(engine.metrics().guard_silenced_total).toBe(0)
})
