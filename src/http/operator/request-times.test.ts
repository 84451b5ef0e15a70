import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('answers are counted in the buckets Prometheus expects, each holding those below it', async () => {
  const { registry, http } = createMetrics()
  for (const seconds of [0.0005, 0.001, 0.03, 9]) http.answered('GET', '/api/v1/users', 200, seconds)
  http.answered('GET', '/api/v1/users', 401, 0.2)
  const text = await registry.metrics()
  const line = (name: string, labels: string) =>
    Number(new RegExp(`^ramal_http_request_seconds_${name}\\{${labels}\\} (\\S+)$`, 'm').exec(text)?.[1])
  const ok = 'method="GET",route="/api/v1/users",status="200"'
  expect(text).toContain('# TYPE ramal_http_request_seconds histogram')
  expect(line('bucket', `${ok},le="0.001"`)).toBe(2)
  expect(line('bucket', `${ok},le="0.025"`)).toBe(2)
  expect(line('bucket', `${ok},le="0.05"`)).toBe(3)
  expect(line('bucket', `${ok},le="\\+Inf"`)).toBe(4)
  expect(line('count', ok)).toBe(4)
  expect(line('sum', ok)).toBeCloseTo(9.0315)
  expect(line('count', 'method="GET",route="/api/v1/users",status="401"')).toBe(1)
})
