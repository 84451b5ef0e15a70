import { expect, test, vi } from 'vitest'
import { startWorkerThread, type ThreadAnswer } from './worker-thread.ts'

/** Answers a request with its text in capitals, fails on `fail`, exits on `exit`, and measures its heap on `heap`. */
const program = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { parentPort } from 'node:worker_threads'

  /** The size of the young heap in MB, after 200 MB of which some survived each collection. */
  function youngHeap() {
    const kept = []
    for (let count = 0; count < 25_000; count++) kept[count % 500] = new Array(1_000).fill(count)
    return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20
  }

  parentPort.on('message', ({ id, text }) => {
    if (text === 'exit') process.exit(3)
    if (text === 'heap') return parentPort.postMessage({ id, answer: youngHeap() })
    parentPort.postMessage(text === 'fail' ? { id, failure: 'it failed' } : { id, answer: text.toUpperCase() })
  })`

function start() {
  const onEnd = vi.fn()
  const thread = startWorkerThread<ThreadAnswer>({
    name: 'test thread',
    file: new URL(`data:text/javascript,${encodeURIComponent(program)}`),
    onMessage: (answer) => thread.settle(answer),
    onEnd,
    unrefWhenIdle: true,
  })
  const ask = <Answer = string>(text: string) => thread.request<Answer>((id) => thread.post({ id, text }))
  return { thread, ask, onEnd }
}

test('each request gets its own answer or failure', async () => {
  const { thread, ask } = start()
  const answers = await Promise.allSettled([ask('one'), ask('fail'), ask('two')])
  expect(answers.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual([
    'ONE',
    'it failed',
    'TWO',
  ])
  expect(thread.pendingCount()).toBe(0)
  await thread.stop()
})

test('when the thread ends, pending and later requests are rejected, and onEnd is called once', async () => {
  const { ask, onEnd } = start()
  await expect(ask('exit')).rejects.toThrow('the test thread ended')
  await expect(ask('one')).rejects.toThrow('the test thread ended')
  expect(onEnd).toHaveBeenCalledOnce()
  expect(onEnd.mock.calls[0]?.[0]).toMatchObject({ message: 'the test thread ended with 3' })
})

test('a thread has a young heap of two semi-spaces of 2 MB, whatever the main thread has', async () => {
  const { thread, ask } = start()
  await ask('heap')
  expect(await ask<number>('heap')).toBeLessThanOrEqual(4)
  await thread.stop()
})
