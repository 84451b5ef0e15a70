/** D537: this version keeps what the last release promised (docs/compatibility.md). */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  findBreakingChanges,
  type Interface,
  interfaceOf,
  releasedVersions,
  sortVersions,
} from '../../tools/compatibility/released.ts'
import { type Service, startService } from '../helpers/service/service.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const { version } = JSON.parse(read('package.json'))

let service: Service
let found: Interface
beforeAll(async () => {
  service = await startService()
  found = await interfaceOf((await service.api.get('/openapi.json')).body)
})
afterAll(() => service.stop())

test('nothing that clients and operators of the last release rely on has changed', () => {
  const { changes, stale } = findBreakingChanges(found, version)
  expect(
    changes,
    'see docs/compatibility.md, and tools/compatibility/reviewed.ts for what breaks nobody',
  ).toEqual([])
  expect(stale, 'reviews without their change').toEqual([])
})

test('the comparison covers what is described: operations, webhooks, settings, commands and migrations', () => {
  expect(Object.keys(found.openapi.paths).length).toBeGreaterThan(60)
  expect(Object.keys(found.openapi.webhooks).length).toBeGreaterThan(10)
  expect(found.settings.PORT).toEqual({ fallback: '3000', accepted: { min: 0, max: 65_535 } })
  expect(found.settings.PAYMENT_GATEWAY?.accepted).toEqual({ choices: ['sandbox', 'asaas'] })
  expect(found.commands.account).toEqual(
    expect.arrayContaining(['account create', 'account limits', '--domain']),
  )
  expect(Object.keys(found.migrations).length).toBeGreaterThan(50)
})

test('the version is the newest of the changelog, and no older than the last release', () => {
  const [, newest] = /^## (\S+)/m.exec(read('CHANGELOG.md')) ?? []
  expect(version).toBe(newest)
  expect(releasedVersions().length).toBeGreaterThan(0)
  expect(sortVersions([...releasedVersions(), version]).at(-1)).toBe(version)
  expect(sortVersions(['1.10.0', '1.9.2', '2.0.0', '1.9.10'])).toEqual(['1.9.2', '1.9.10', '1.10.0', '2.0.0'])
})
