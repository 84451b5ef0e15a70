import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lowerCollectorPriority } from './collector-priority.ts'

/** Threads as Linux lists them: a folder each, with the name in a file. */
function writeThreads(names: Record<number, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-threads-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [id, name] of Object.entries(names)) {
    mkdirSync(join(folder, id))
    writeFileSync(join(folder, id, 'comm'), `${name}\n`)
  }
  return folder
}

test('the threads that collect garbage get a lower priority, and no others', () => {
  const lowered: [number, number][] = []
  const threads = writeThreads({ 100: 'node', 101: 'V8Worker', 102: 'libuv-worker', 103: 'V8Worker' })
  lowerCollectorPriority(threads, (id, priority) => lowered.push([id, priority]))
  expect(lowered).toEqual([
    [101, 10],
    [103, 10],
  ])
})

test('where the threads are not listed, all keep their priority', () => {
  const lowered: number[] = []
  lowerCollectorPriority('/nowhere', (id) => lowered.push(id))
  expect(lowered).toEqual([])
})
