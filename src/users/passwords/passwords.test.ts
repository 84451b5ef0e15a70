import { describe, expect, test } from 'vitest'
import { createPasswords } from './passwords.ts'

describe('passwords (D59)', () => {
  const passwords = createPasswords()

  test('are kept as argon2id, each with its own salt', async () => {
    const [one, two] = [await passwords.seal('correct horse'), await passwords.seal('correct horse')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(two).not.toBe(one)
  })

  test('match only what was sealed', async () => {
    const kept = await passwords.seal('correct horse')
    expect(await passwords.matches('correct horse', kept)).toBe(true)
    expect(await passwords.matches('wrong horse', kept)).toBe(false)
    expect(await passwords.matches('the password of nobody', undefined)).toBe(false)
  })

  test('of a stranger take the same work as those of a user', async () => {
    const kept = await passwords.seal('correct horse')
    const cpuOf = async (work: () => Promise<unknown>) => {
      const before = process.cpuUsage()
      for (let n = 0; n < 5; n += 1) await work()
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const known = await cpuOf(() => passwords.matches('x', kept))
    const stranger = await cpuOf(() => passwords.matches('x', undefined))
    expect(stranger / known).toBeGreaterThan(0.4)
    expect(stranger / known).toBeLessThan(2.5)
  })

  test('are turned away with 503 beyond a short queue, and taken again when it is done', async () => {
    const crowd = Array.from({ length: 80 }, () => passwords.matches('x', undefined))
    const outcomes = await Promise.allSettled(crowd)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    for (const { reason } of refused) expect(reason).toMatchObject({ statusCode: 503, retryAfter: 2 })
    expect(await passwords.matches('x', undefined)).toBe(false)
  })
})
