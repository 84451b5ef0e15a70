/**
 * Memory of an export (D301): what Node holds while a client downloads all calls of an account, as NDJSON and as CSV. It must not
 * grow with the rows: the most during the download is compared with the most during its first tenth. An account of ten million calls
 * with BENCH_FOLDER, as `call-lists` keeps it, of a million without; BENCH_SECONDS ends a download before its end.
 */
import { memoryOf } from './parts/process-figures.ts'
import { api, type Service, startService } from './parts/service.ts'
import { type SizedAccount, withSizedAccounts } from './parts/sized-accounts.ts'
import type { Result } from './parts/table.ts'

const formats = ['ndjson', 'csv'] as const
const withoutFolder = 1_000_000
const maxSeconds = Number(process.env.BENCH_SECONDS ?? 3_600)
const sampleMs = 250
const lineEnd = 10

export function exports(): Promise<Result[]> {
  return withSizedAccounts(async (folder, [, large]) => {
    if (!large) throw new Error('the large account is exported')
    const results: Result[] = []
    for (const format of formats) {
      // A process for each: memory that one export left behind would hide what the next one takes.
      const service = await startService({ folder, env: { RATE_LIMITS: 'off' } })
      try {
        results.push(await measure(service, large, format))
      } finally {
        await service.stop()
      }
    }
    return results
  }, withoutFolder)
}

type Sample = { rows: number; rss: number }

async function measure(service: Service, account: SizedAccount, format: string): Promise<Result> {
  const idle = memoryOf(service.pid).rss
  const samples: Sample[] = []
  const counted = { rows: 0, bytes: 0 }
  const timer = setInterval(
    () => samples.push({ rows: counted.rows, rss: memoryOf(service.pid).rss }),
    sampleMs,
  )
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  try {
    await download(service, account, format, counted, () => seconds() > maxSeconds)
  } finally {
    clearInterval(timer)
  }
  const took = seconds()
  if (took < maxSeconds && counted.rows !== account.calls + (format === 'csv' ? 1 : 0))
    throw new Error(`${format} has ${counted.rows} lines of ${account.calls} calls`)
  const most = mostOf(samples)
  const first = mostOf(samples.filter(({ rows }) => rows <= counted.rows / 10))
  const last = mostOf(samples.filter(({ rows }) => rows >= 0.9 * counted.rows))
  const size = `${counted.rows} rows, ${(counted.bytes / 1e6).toFixed(0)} MB, in ${took.toFixed(0)} s`
  return {
    name: `exports, ${format}, Node, RSS`,
    measured: `${most.toFixed(0)} MB, ${last.toFixed(0)} MB in the last tenth (${size})`,
    baseline: `${first.toFixed(0)} MB in the first tenth, ${idle.toFixed(0)} MB before`,
    values: [most / first],
    target: { atMost: 1.2 },
  }
}

const mostOf = (samples: Sample[]) => Math.max(...samples.map(({ rss }) => rss))

async function download(
  { url }: Service,
  { token }: SizedAccount,
  format: string,
  counted: { rows: number; bytes: number },
  isEnough: () => boolean,
) {
  const response = await fetch(`${url}${api}/calls?format=${format}`, { headers: { authorization: token } })
  if (!response.ok || !response.body) throw new Error(`${format} answered ${response.status}`)
  for await (const chunk of response.body) {
    counted.bytes += chunk.length
    for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, at + 1)) counted.rows += 1
    if (isEnough()) break
  }
}
