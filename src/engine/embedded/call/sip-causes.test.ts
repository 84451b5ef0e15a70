import { expect, test } from 'vitest'
import { reasonHeaders } from './sip-causes.ts'

test('a cause beyond Q.850 is sent as the nearest of its codes', () => {
  const code = (cause: Parameters<typeof reasonHeaders>[0]) =>
    /cause=(\d+)/.exec(reasonHeaders(cause)[0]?.[1] ?? '')?.[1]
  expect(code('USER_BUSY')).toBe('17')
  expect(code('USER_NOT_REGISTERED')).toBe('20')
  expect(code('ORIGINATOR_CANCEL')).toBe('16')
})
