import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { createLoadState, endLoading, type LoadState, loadOnce } from './load-state.ts'

const module = new URL('./load-state.ts', import.meta.url).href
/** Says when it begins to load, goes on for a while, and counts the loads that were finished. */
const program = `
  const { workerData: { state, finished }, parentPort } = require('node:worker_threads')
  import('${module}').then(({ loadOnce }) => loadOnce(state, () => {
    parentPort.postMessage('loading')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    Atomics.add(finished, 0, 1)
  }))`

function startThread(state: LoadState) {
  const finished = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(program, { eval: true, workerData: { state, finished } })
  onTestFinished(async () => void (await thread.terminate()))
  return { thread, finished }
}

test('D636: a thread that loads is not ended before it has loaded', async () => {
  const state = createLoadState()
  const { thread, finished } = startThread(state)
  await once(thread, 'message')
  expect(finished[0]).toBe(0)
  endLoading(state)
  expect(finished[0]).toBe(1)
})

test('D636: a thread that is ended before it loads, loads nothing', async () => {
  const state = createLoadState()
  endLoading(state)
  const { thread, finished } = startThread(state)
  const [error] = (await once(thread, 'error')) as [Error]
  expect(error.message).toBe('the thread is being ended')
  expect(finished[0]).toBe(0)
})

test('D636: the end of a thread waits for nothing if loading has failed', () => {
  const state = createLoadState()
  const fail = () => {
    throw new Error('no such library')
  }
  expect(() => loadOnce(state, fail)).toThrow('no such library')
  const before = performance.now()
  endLoading(state)
  expect(performance.now() - before).toBeLessThan(5_000)
})
