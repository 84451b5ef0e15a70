import { describe, expect, test } from 'vitest'
import { createPasswords } from './passwords.ts'

describe('passwords (D59)', () => {
  const passwords = createPasswords()

  test('are stored as argon2id, each with its own salt', async () => {
    const [one, two] = [await passwords.hash('correct horse'), await passwords.hash('correct horse')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(two).not.toBe(one)
  })

  test('match only their own hash', async () => {
    const hash = await passwords.hash('correct horse')
    expect(await passwords.matches('correct horse', hash)).toBe(true)
    expect(await passwords.matches('wrong horse', hash)).toBe(false)
    expect(await passwords.matches('the password of nobody', undefined)).toBe(false)
  })

  test('of an unknown user take the same work as those of a known one', async () => {
    const hash = await passwords.hash('correct horse')
    const cpuOf = async (work: () => Promise<unknown>) => {
      const before = process.cpuUsage()
      await work()
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    // The least of several: whatever else this process does only adds to it.
    let [known, stranger] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let n = 0; n < 15; n += 1) {
      known = Math.min(known, await cpuOf(() => passwords.matches('x', hash)))
      stranger = Math.min(stranger, await cpuOf(() => passwords.matches('x', undefined)))
    }
    expect(stranger / known).toBeGreaterThan(0.4)
    expect(stranger / known).toBeLessThan(2.5)
  })

  test('are refused with 503 beyond a short queue, and accepted again once it is empty', async () => {
    const crowd = Array.from({ length: 80 }, () => passwords.matches('x', undefined))
    const outcomes = await Promise.allSettled(crowd)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused) expect(reason).toMatchObject({ statusCode: 503, retryAfter: 2 })
    expect(await passwords.matches('x', undefined)).toBe(false)
  })
})
