/** Extensions that are made and removed at the same time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccount } from '../../helpers/service/people.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const person = { senha: 's3nha-do-ramal', first_name: 'Ana', last_name: 'Souza', bina: '+55 48 3333-4444' }

test('an extension is made again while it is removed, without a deadlock', async () => {
  const account = await openAccount(service)
  const make = () =>
    service.api.post('/extensions', { ...person, ramal: '1000', email_address: account.email }, account)
  let { body } = await make()
  const statuses = new Set<number>()
  for (let round = 0; round < 15; round++) {
    const [removed, ...made] = await Promise.all([
      service.api.delete(`/extensions/${body.id}`, account),
      make(),
      make(),
    ])
    for (const { status } of [removed, ...made]) statuses.add(status)
    const again = made.find(({ status }) => status === 200) ?? (await make())
    body = again.body
  }
  expect([...statuses].filter((status) => status >= 500)).toEqual([])
})
