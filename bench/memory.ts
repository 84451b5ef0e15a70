/**
 * Memory of the idle service: Node and its database. A first start compiles what it runs and keeps some of the memory that
 * took; a later start uses the compile cache. The bundle of `npm ci` must be current: from its sources it holds more (D340).
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { familyOf, memoryOf } from './parts/process-figures.ts'
import { api, createAccount, inFolder, type Service, startService } from './parts/service.ts'
import type { Result } from './parts/table.ts'

const idleMs = 10_000
const someRequests = 20
const maxMegabytes = { first: 150, later: 130 }

export function memory(): Promise<Result[]> {
  return inFolder(async (folder) => {
    const first = await measure(folder, 'first')
    const later = await measure(folder, 'later')
    return [...first, ...later]
  })
}

async function measure(folder: string, when: keyof typeof maxMegabytes): Promise<Result[]> {
  const service = await startService({ folder, env: { NODE_COMPILE_CACHE: join(folder, 'compiled') } })
  try {
    const { token } = await createAccount(service, when)
    await askABit(service, token)
    await sleep(idleMs)
    const node = memoryOf(service.pid)
    const database = familyOf(service.pid).filter((pid) => pid !== service.pid)
    const pss = database.reduce((sum, pid) => sum + memoryOf(pid).pss, 0)
    return [
      absolute(`memory, ${when} start, Node, RSS`, node.rss, '', { below: maxMegabytes[when] }),
      absolute(`memory, ${when} start, Node, PSS`, node.pss, '', { below: maxMegabytes[when] }),
      absolute(`memory, ${when} start, PostgreSQL, PSS`, pss, ` (${database.length} processes)`, {
        below: 60,
      }),
    ]
  } finally {
    await service.stop()
  }
}

async function askABit({ url }: Service, token: string) {
  for (let count = 0; count < someRequests; count++) {
    const path = count % 2 === 0 ? '/users/me' : '/users'
    const response = await fetch(`${url}${api}${path}`, { headers: { authorization: token } })
    await response.text()
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
  }
}

function absolute(name: string, value: number, more: string, target: { below: number }): Result {
  const measured = `${value.toFixed(0)} MB${more}`
  return { name, measured, baseline: '', values: [value], unit: 'MB', target }
}
