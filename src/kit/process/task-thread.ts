/** A worker thread of low priority for one kind of task: the end that hands tasks over, and the end that does them. */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { startWorkerThread, type ThreadAnswer } from './worker-thread.ts'

/** The thread is started by its first task, and again by the next one if it ended. It keeps no idle process alive. */
export function createTaskThread<Task extends object, Answer>(name: string, file: URL) {
  let thread: ReturnType<typeof start> | undefined

  function start() {
    const started = startWorkerThread<ThreadAnswer>({
      name,
      file,
      onMessage: (answer) => started.settle(answer),
      onEnd: () => {
        if (thread === started) thread = undefined
      },
      unrefWhenIdle: true,
    })
    return started
  }

  return {
    run(task: Task): Promise<Answer> {
      thread ??= start()
      const { request, post } = thread
      return request((id) => post({ id, ...task }))
    },
  }
}

const lowPriority = 10

/** In the thread: answers every task. On a machine with few cores the event loop comes first, and tasks wait a little. */
export function answerTasks<Task extends object, Answer>(work: (task: Task) => Answer) {
  // On other systems this would change the priority of the whole process.
  if (process.platform === 'linux') setPriority(lowPriority)
  parentPort?.on('message', ({ id, ...task }: Task & { id: number }) => {
    parentPort?.postMessage({ id, ...outcomeOf(() => work(task as unknown as Task)) })
  })
}

function outcomeOf(work: () => unknown): Omit<ThreadAnswer, 'id'> {
  try {
    return { answer: work() }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}
