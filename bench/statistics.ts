/**
 * Statistics of a month in which one account made ten million calls (D324): by day, apart by extension, and by hour.
 * Takes about 8 GB of disk and 20 minutes, mostly to insert the calls; BENCH_FOLDER keeps them, BENCH_CALLS sets how many.
 */
import { inKeptFolder } from './parts/kept-folder.ts'
import { seedCalls } from './parts/seed-calls.ts'
import { api, createAccount, type Service, startService } from './parts/service.ts'
import { alone, type Result } from './parts/table.ts'

const calls = Number(process.env.BENCH_CALLS ?? 10_000_000)
const rounds = 15
const spanDays = 30
const maxMs = 300

const questions = {
  'a month by day': '',
  'a month by day and cause': '&group=cause',
  'a month by hour': '&by=hour',
  'a month by hour of the week': '&by=hour-of-week',
  'a month by day and extension': '&group=extension',
}

export function statistics(): Promise<Result[]> {
  return inKeptFolder({ name: 'statistics', fill: insertMonth, work: measureAll })
}

async function insertMonth(folder: string) {
  const { token } = await createAccount({ folder }, 'large')
  const seeded = { domain: 'large.ramal.localhost', calls, spanDays, indexValues: false }
  await seedCalls(folder, [seeded])
  return { token }
}

async function measureAll(folder: string, { token }: { token: string }): Promise<Result[]> {
  const service = await startService({ folder, env: { RATE_LIMITS: 'off' } })
  try {
    const results: Result[] = []
    for (const [name, question] of Object.entries(questions)) {
      results.push(await measure(service, token, name, question))
    }
    return results
  } finally {
    await service.stop()
  }
}

async function measure(service: Service, token: string, name: string, question: string): Promise<Result> {
  const to = new Date()
  const from = new Date(to.getTime() - (spanDays + 1) * 86_400_000)
  const path = `${api}/calls/stats?from=${from.toISOString()}&to=${to.toISOString()}${question}`
  const times: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const began = performance.now()
    const response = await fetch(`${service.url}${path}`, { headers: { authorization: token } })
    if (!response.ok) throw new Error(`${name} answered ${response.status} ${await response.text()}`)
    const { data } = (await response.json()) as { data: { calls: number }[] }
    times.push(performance.now() - began)
    const counted = data.reduce((sum, row) => sum + row.calls, 0)
    if (counted !== calls) throw new Error(`${name} counted ${counted} of ${calls} calls`)
  }
  // The first warms the caches.
  return alone(`statistics, ${name} (${calls} calls)`, times.slice(1), 'ms', { below: maxMs })
}
