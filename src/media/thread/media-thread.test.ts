import { expect, test, vi } from 'vitest'
import { createIdentity } from '../dtls/certificate.ts'
import { startMediaThread } from './media-thread.ts'

const identity = createIdentity(new Date())

test('the end of a thread is emitted once, and rejects pending and later requests', async () => {
  const onEnd = vi.fn()
  const thread = startMediaThread({
    data: { identity, sounds: {}, sockets: 'dgram', dscp: 0 },
    onEvent: () => {},
    onMissed: () => {},
    onEnd,
  })
  await expect(thread.request('close', 'nobody', {})).rejects.toThrow('no such call')
  const stopping = thread.stop()
  await expect(thread.request('close', 'nobody', {})).rejects.toMatchObject({ reason: 'media lost' })
  await stopping
  await expect(thread.request('close', 'nobody', {})).rejects.toMatchObject({ reason: 'media lost' })
  expect(onEnd).toHaveBeenCalledOnce()
})

test('requests beyond 4096 without an answer are refused', async () => {
  const thread = startMediaThread({
    data: { identity, sounds: {}, sockets: 'dgram', dscp: 0 },
    onEvent: () => {},
    onMissed: () => {},
    onEnd: () => {},
  })
  const requests = Array.from({ length: 4097 }, () => thread.request('close', 'nobody', {}))
  const reasons = (await Promise.allSettled(requests)).map((one) =>
    one.status === 'rejected' ? String(one.reason.message) : 'answered',
  )
  expect(reasons.filter((reason) => reason === 'media busy')).toHaveLength(1)
  await thread.stop()
})
