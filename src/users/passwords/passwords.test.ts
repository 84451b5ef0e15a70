import { describe, expect, test } from 'vitest'
import { createPasswords, type PasswordTask } from './passwords.ts'

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

  test('of an unknown user are compared with a hash of the same cost as those of a known one', async () => {
    const compared: PasswordTask[] = []
    const watched = createPasswords([
      {
        async run(task) {
          compared.push(task)
          return true
        },
      },
    ])
    expect(await watched.matches('x', undefined)).toBe(false)
    expect(compared).toEqual([{ password: 'x', hash: expect.any(String) }])
    // Algorithm, version, memory, passes and lanes; salt and digest of the same length.
    const costOf = (hash = '') => [hash.split('$').slice(0, 4), hash.length]
    expect(costOf(compared[0]?.hash)).toEqual(costOf(await passwords.hash('correct horse')))
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
