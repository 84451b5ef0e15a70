/** Pages of the operator are for users of this machine, not for requests through a proxy or a rebound name (D109). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../helpers/service.ts'
import { statusOf as status } from '../helpers/status-of.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const statusOf = (path: string, headers: Record<string, string>) => status(`${service.url}${path}`, headers)

test.each(['/mailbox', '/metrics'])('%s is open by the names of this machine', async (path) => {
  for (const host of ['localhost:3000', '127.0.0.1', '127.0.0.9:80', '[::1]:3000', 'LOCALHOST'])
    expect([host, await statusOf(path, { host })]).toEqual([host, 200])
})

test.each(['/mailbox', '/metrics'])('%s is not there by another name, or through a proxy', async (path) => {
  for (const host of ['evil.example', '127.evil.example', 'localhost.evil.example', '192.0.2.1'])
    expect([host, await statusOf(path, { host })]).toEqual([host, 404])
  for (const name of ['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP'])
    expect([name, await statusOf(path, { host: 'localhost', [name]: '192.0.2.1' })]).toEqual([name, 404])
})
