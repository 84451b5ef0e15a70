/** Access to /metrics (D109). */
import { afterEach, expect, test } from 'vitest'
import { createClient } from '../../helpers/service/client.ts'
import { type Service, startService } from '../../helpers/service/service.ts'

let service: Service
afterEach(() => service.stop())

const metrics = (token?: string) => createClient(service.url).get('/metrics', { token })

test('D109: metrics need the operator token, also from this machine', async () => {
  service = await startService()
  expect((await metrics()).status).toBe(401)
  expect((await service.operator.get('/metrics')).status).toBe(200)
})

test('metrics are closed when the service listens on other addresses', async () => {
  service = await startService({ HOST: '0.0.0.0' })
  expect((await metrics()).status).toBe(404)
})

test('metrics with METRICS_TOKEN are open to that token only, from anywhere', async () => {
  service = await startService({ HOST: '0.0.0.0', METRICS_TOKEN: 'scrape-me' })
  expect((await metrics('Bearer scrape-me')).status).toBe(200)
  expect((await metrics('Bearer guess')).status).toBe(404)
  expect((await metrics()).status).toBe(404)
})
