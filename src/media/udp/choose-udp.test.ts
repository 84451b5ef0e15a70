import { createRequire } from 'node:module'
import { afterEach, expect, test, vi } from 'vitest'
import { createMedia } from '../media.ts'
import { chooseUdp, whyNot } from './choose-udp.ts'
import { dgramUdp } from './dgram-udp.ts'

afterEach(() => vi.unstubAllGlobals())

test('D631: epoll can be used where its library is installed on Linux', () => {
  const canLoad = (() => {
    try {
      createRequire(import.meta.url)('koffi')
      return process.platform === 'linux'
    } catch {
      return false
    }
  })()
  expect(whyNot('epoll') === undefined).toBe(canLoad)
  expect(whyNot('dgram')).toBeUndefined()
})

test('D631: on another system node:dgram is used, with a warning', async () => {
  vi.stubGlobal('process', Object.create(process, { platform: { value: 'darwin' } }))
  expect(chooseUdp('epoll')).toBe(dgramUdp)
  const log = { warn: vi.fn(), error: vi.fn() }
  const media = createMedia({ ports: { from: 30_000, to: 30_010 }, host: '127.0.0.1', sockets: 'epoll', log })
  await media.stop()
  expect(log.warn).toHaveBeenCalledWith(
    { reason: expect.stringContaining('darwin') },
    'media cannot use epoll sockets, and uses node:dgram',
  )
})
