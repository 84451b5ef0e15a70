import { createRequire } from 'node:module'
import { afterEach, expect, test, vi } from 'vitest'
import { createUdp, usableKind, type WantedUdp, whyNot } from './choose-udp.ts'
import { dgramUdp } from './dgram-udp.ts'

const log = { warn: vi.fn() }
afterEach(() => {
  vi.unstubAllGlobals()
  log.warn.mockClear()
})

const pretendToBeOn = (platform: string) =>
  vi.stubGlobal('process', Object.create(process, { platform: { value: platform } }))

const isInstalled = (() => {
  try {
    createRequire(import.meta.url)('koffi')
    return process.platform === 'linux'
  } catch {
    return false
  }
})()

test('D631: epoll can be used where its library is installed on Linux', () => {
  expect(whyNot('epoll') === undefined).toBe(isInstalled)
  expect(whyNot('dgram')).toBeUndefined()
})

test.runIf(isInstalled)('D631: auto is epoll on Linux, and dgram is by setting', () => {
  expect(usableKind('auto', log)).toBe('epoll')
  expect(usableKind('dgram', log)).toBe('dgram')
  expect(createUdp('dgram')).toBe(dgramUdp)
  expect(log.warn).not.toHaveBeenCalled()
})

test.each<[WantedUdp, number]>([
  ['auto', 0],
  ['dgram', 0],
  ['epoll', 1],
])(
  'D631: on another system node:dgram is used (%s), with a warning only if epoll was asked for',
  (wanted, warnings) => {
    pretendToBeOn('darwin')
    expect(usableKind(wanted, log)).toBe('dgram')
    expect(log.warn).toHaveBeenCalledTimes(warnings)
  },
)

test('D631: on Linux without the library node:dgram is used, with one warning', () => {
  vi.stubGlobal('process', Object.create(process, { platform: { value: 'linux' }, arch: { value: 'ia32' } }))
  expect(usableKind('auto', log)).toBe('dgram')
  expect(log.warn.mock.calls).toEqual([
    [{ reason: 'not for linux on ia32' }, 'media cannot use epoll sockets, and uses node:dgram'],
  ])
  expect(() => createUdp('epoll')).toThrow('ia32')
})
