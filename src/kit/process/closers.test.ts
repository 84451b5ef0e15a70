import { expect, test } from 'vitest'
import { createClosers } from './closers.ts'

test('closes in reverse order, each once, also when one of them fails', async () => {
  const closed: string[] = []
  const errors: unknown[] = []
  const closers = createClosers((error) => errors.push(error))
  const broken = new Error('broken')
  closers.add(() => closed.push('database'))
  closers.add(() => Promise.reject(broken))
  closers.add(async () => closed.push('server'))
  await closers.close()
  await closers.close()
  expect(closed).toEqual(['server', 'database'])
  expect(errors).toEqual([broken])
})
