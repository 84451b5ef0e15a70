/** An operator shows and changes what an account may do: `ramal account limits`. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runRamal } from '../../helpers/programs/ramal-process.ts'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ NEW_CALLS_PER_DAY: '200', NEW_SPENDING_PER_DAY: '20.00' })
})
afterAll(() => service.stop())

const ramal = (...args: string[]) =>
  runRamal(['account', 'limits', ...args], {
    DATABASE_URL: service.database.url,
    DATA_DIR: service.dataDir,
    LOG_LEVEL: 'error',
  })

test('account limits shows the effective limits, changes them, and the running service follows', async () => {
  const office = await openAccount(service)
  const shown = await ramal(office.domain)
  expect([shown.code, shown.text]).toEqual([0, expect.stringMatching(/Proven +no\n/)])
  expect(shown.text).toMatch(/Calls a day +200 \(default of accounts that are not proven\), 0 used\n/)
  expect(shown.text).toMatch(/Spending a day +R\$ 20\.00 .*R\$ 0\.00 used\n/)
  expect(shown.text).toMatch(/Other countries +off/)

  const limits = ['--calls-per-day', '500', '--spend-per-day', '55.50', '--international', 'on']
  const more = ['--allow', '4470', '--allow', '53', '--proven', 'on']
  const changed = await ramal(office.domain, ...limits, ...more)
  expect(changed.text).toMatch(/Calls a day +500 \(set for this account\)/)
  expect(changed.text).toMatch(/Ranges enabled +\+4470 United Kingdom, personal numbers, \+53 Cuba\n/)
  expect((await service.api.get('/accounts/limits', office)).body).toMatchObject({
    provenBy: 'operator',
    callsPerDay: { limit: 500, source: 'account' },
    spendingPerDay: { limit: 55.5, source: 'account' },
    international: { enabled: true, source: 'account' },
  })

  const back = await ramal(office.domain, '--calls-per-day', 'default', '--bar', '53', '--proven', 'off')
  expect(back.text).toMatch(/Proven +no\n/)
  expect(back.text).toMatch(/Calls a day +200/)
  expect(back.text).toMatch(/Ranges enabled +\+4470 United Kingdom, personal numbers\n/)
})

test.each([
  [['--calls-per-day', '5'], 2, 'The domain of one account is needed.'],
  [
    ['x.ramal.localhost', '--calls-per-day', 'many'],
    2,
    '--calls-per-day must be a whole number, or default.',
  ],
  [['x.ramal.localhost', '--spend-per-day', '1,50'], 2, '--spend-per-day must be an amount'],
  [['x.ramal.localhost', '--international', 'yes'], 2, '--international must be on or off'],
  [['x.ramal.localhost', '--allow', '999'], 2, '999 is no range'],
  [['x.ramal.localhost'], 1, 'There is no account x.ramal.localhost.'],
])('account limits %j ends with %i', async (args, code, sentence) => {
  const answer = await ramal(...args)
  expect([answer.code, answer.text]).toEqual([code, expect.stringContaining(sentence)])
})
