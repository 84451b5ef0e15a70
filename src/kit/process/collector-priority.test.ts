import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** In a process of its own: the priority of its threads cannot be raised again. */
const program = `
  import { readdirSync, readFileSync } from 'node:fs'
  import { getPriority } from 'node:os'
  const { lowerCollectorPriority } = await import(process.argv[1])
  lowerCollectorPriority()
  const threads = readdirSync('/proc/self/task').map((id) => {
    const name = readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim()
    return { isMain: Number(id) === process.pid, isCollector: name === 'V8Worker', priority: getPriority(Number(id)) }
  })
  console.log(JSON.stringify(threads))`

type Thread = { isMain: boolean; isCollector: boolean; priority: number }

test.runIf(process.platform === 'linux')(
  'the threads that collect garbage run with a lower priority than the main one',
  () => {
    const module = new URL('./collector-priority.ts', import.meta.url).href
    const args = ['--input-type=module', '--eval', program, module]
    const threads: Thread[] = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
    const main = threads.find(({ isMain }) => isMain)?.priority ?? 0
    const collectors = threads.filter(({ isCollector }) => isCollector)
    expect(collectors.length).toBeGreaterThan(0)
    for (const { priority } of collectors) expect(priority).toBe(Math.max(main, 10))
  },
)
