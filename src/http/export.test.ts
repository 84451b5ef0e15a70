import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { createTestTimers } from '../kit/testing/test-timers.ts'
import type { Caller } from '../users/caller.ts'
import { createExports } from './export.ts'

const callerOf = (accountId: number) => ({ accountId }) as Caller

async function* pagesOf(count: number): AsyncGenerator<{ id: number }[]> {
  for (let page = 0; page < count; page++) {
    yield Array.from({ length: 100 }, (_, row) => ({ id: page * 100 + row }))
  }
}

const exported = (pages: AsyncGenerator<{ id: number }[]>) => ({
  format: 'ndjson' as const,
  name: 'things',
  columns: ['id'],
  pages,
  write: (row: { id: number }) => JSON.stringify(row),
  cells: (row: { id: number }) => row,
})

const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : error)

async function bodyOf(answer: Promise<{ body: unknown }>): Promise<Readable> {
  const { body } = await answer
  if (!(body instanceof Readable)) throw new Error('no stream')
  return body
}

test('D472: an account has one export at a time, until its last byte is read or its client has left', async () => {
  const { answer } = createExports()
  const body = await bodyOf(answer(callerOf(1), exported(pagesOf(3))))
  expect(await answer(callerOf(1), exported(pagesOf(1))).catch(codeOf)).toBe('EXPORT_RUNNING')
  const ofOther = await bodyOf(answer(callerOf(2), exported(pagesOf(1))))
  expect((await body.toArray()).join('').split('\n')).toHaveLength(301)
  const again = await bodyOf(answer(callerOf(1), exported(pagesOf(3))))
  again.destroy()
  await expect.poll(() => answer(callerOf(1), exported(pagesOf(1))).catch(codeOf)).not.toBe('EXPORT_RUNNING')
  ofOther.destroy()
})

test('D472: an export that fails before it begins leaves the account free for the next', async () => {
  const { answer } = createExports()
  // biome-ignore lint/correctness/useYield: fails at its first page.
  async function* failing(): AsyncGenerator<{ id: number }[]> {
    throw new Error('no database')
  }
  await expect(answer(callerOf(1), exported(failing()))).rejects.toThrow('no database')
  await expect(answer(callerOf(1), exported(pagesOf(1)))).resolves.toBeDefined()
})

test('D472: a client that takes nothing for a minute is disconnected', async () => {
  const timers = createTestTimers()
  const { answer } = createExports(timers)
  const body = await bodyOf(answer(callerOf(1), exported(pagesOf(100))))
  body.on('error', () => {})
  timers.advance(59_000)
  expect(body.destroyed).toBe(false)
  timers.advance(2_000)
  expect(body.destroyed).toBe(true)
  await expect.poll(() => answer(callerOf(1), exported(pagesOf(1))).catch(codeOf)).not.toBe('EXPORT_RUNNING')
})

test('D472: other work gets its turn while exports are written', async () => {
  const timers = createTestTimers()
  const { answer } = createExports(timers)
  const write = ({ id }: { id: number }) => {
    timers.advance(0.25)
    return String(id)
  }
  const body = await bodyOf(answer(callerOf(1), { ...exported(pagesOf(3)), write }))
  let turns = 0
  const count = () => {
    turns += 1
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  await body.toArray()
  clearImmediate(counting)
  // 300 rows, of which four take the millisecond of a turn.
  expect(turns).toBeGreaterThan(70)
})
