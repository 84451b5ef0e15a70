/** Who asks while the last statement is under way is served by the next one, together with all who do. */
import { isTransient } from './database.ts'

const mostAtOnce = 4
/** So many wait before another statement begins beside the one under way. */
const crowd = 8
const mostTogether = 200

type Asker<T, R> = { item: T; done: (answer: R) => void; fail: (error: unknown) => void }

/** `serve` answers each, in their order. */
export function createTogether<T, R>(serve: (items: T[]) => Promise<R[]>) {
  const waiting: Asker<T, R>[] = []
  let underWay = 0
  let planned = false

  function plan() {
    if (planned) return
    planned = true
    setImmediate(() => {
      planned = false
      while (underWay < mostAtOnce && waiting.length > underWay * crowd) {
        underWay += 1
        void run(waiting.splice(0, mostTogether)).finally(() => {
          underWay -= 1
          if (waiting.length > 0) plan()
        })
      }
    })
  }

  /** One that cannot be served must not keep the others from it. */
  async function run(askers: Asker<T, R>[]) {
    try {
      const answers = await serve(askers.map(({ item }) => item))
      for (const [index, { done }] of askers.entries()) done(answers[index] as R)
    } catch (error) {
      if (askers.length > 1 && !isTransient(error)) for (const asker of askers) await run([asker])
      else for (const { fail } of askers) fail(error)
    }
  }

  return (item: T): Promise<R> =>
    new Promise((done, fail) => {
      waiting.push({ item, done, fail })
      plan()
    })
}
