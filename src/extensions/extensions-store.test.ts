import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccount } from '../../test/helpers/service/people.ts'
import { type Service, startService } from '../../test/helpers/service/service.ts'
import { findFreeNumber } from './extensions-store.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('the lowest free number is found until the last is taken, then none', async () => {
  const { token, domain } = await openAccount(service)
  const { id } = await service.db
    .selectFrom('accounts')
    .select('id')
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow()
  const free = () => findFreeNumber(service.db, id, 1000, 1002)
  const person = {
    senha: 's3nha-do-ramal',
    first_name: 'Ana',
    last_name: 'Souza',
    email_address: 'a@b.example',
  }
  for (const ramal of ['1001', '1000', '1002']) {
    expect(await free()).toBe(ramal === '1002' ? '1002' : '1000')
    await service.api.post('/extensions', { ...person, ramal }, { token })
  }
  expect(await free()).toBeUndefined()
})
