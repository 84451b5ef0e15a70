import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccount } from '../../../test/helpers/service/people.ts'
import { type Service, startService } from '../../../test/helpers/service/service.ts'
import { createAttempts } from '../login/attempts.ts'
import { createLinkRequests } from './link-requests.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('D147: a request for an unknown address does the same work as one for a known address', async () => {
  const me = await openAccount(service)
  const { clock, app } = service
  const { links } = app.services.users
  const statements: string[] = []
  const db = service.db.withPlugin({
    transformQuery({ node }) {
      statements.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const attempts = createAttempts({ db, clock })
  const requests = createLinkRequests({ db, clock, attempts, links, outbox: app.services.mail.outbox })
  const [known = [], unknown = []] = [[], []] as string[][]
  for (const [email, work] of [[me.email, known] as const, [`not-${me.email}`, unknown] as const]) {
    await requests.request('reset-password', email)
    work.push(...statements.splice(0))
  }
  expect(known).toEqual(['InsertQueryNode', 'InsertQueryNode'])
  expect(unknown).toEqual(known)
})
