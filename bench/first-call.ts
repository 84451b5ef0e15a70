/** Clicks and seconds from opening the address to talking in the browser. A person also reads and types. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openConsole, startChromium } from '../test/console/console-browser.ts'
import { makeFirstCall } from '../test/console/first-call.ts'
import { dataDirOf, inFolder, startService } from './parts/service.ts'
import { alone, type Result } from './parts/table.ts'

const rounds = 3

export async function firstCall(): Promise<Result[]> {
  const browser = await startChromium()
  try {
    return await inFolder(async (folder) => {
      const service = await startService({ folder, env: { CONSOLE: 'on', RATE_LIMITS: 'off' } })
      try {
        await untilBuilt(service.url)
        const seconds: number[] = []
        const clicks: number[] = []
        for (let round = 0; round < rounds; round += 1) {
          const look = { locale: 'pt-BR', colorScheme: 'light', width: 1280 } as const
          const { context, page } = await openConsole(browser, service.url, look)
          const began = performance.now()
          const company = `first-${round}`
          const start = `/console?token=${readFileSync(join(dataDirOf(folder), 'operator-token'), 'utf8').trim()}`
          const person = { start, language: 'pt', company, email: `ana@${company}.example` } as const
          clicks.push(await makeFirstCall(page, person))
          seconds.push((performance.now() - began) / 1000)
          await context.close()
        }
        return [
          alone('first call, from opening the address to talking', seconds, 's'),
          alone('first call, clicks', clicks, 'clicks'),
        ]
      } finally {
        await service.stop()
      }
    })
  } finally {
    await browser.close()
  }
}

/** The first start builds the console. */
async function untilBuilt(url: string) {
  while ((await fetch(`${url}/console`)).status !== 200) await new Promise((done) => setTimeout(done, 200))
}
