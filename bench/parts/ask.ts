/** Questions to a child process, and their answers. */
import type { ChildProcess } from 'node:child_process'

/** What a child can do, by name. Wishes and answers cross a process border. */
type Work = Record<string, (wish: never) => unknown>

type Question = { id: number; name: string; wish: unknown }
type Answer = { id: number; value?: unknown; problem?: string }

const longestMs = 300_000

/** In the parent; the type of the work is the child's own. */
export function askChild<W extends Work>(child: ChildProcess) {
  let questions = 0
  child.setMaxListeners(0)

  return function ask<K extends keyof W & string>(
    name: K,
    ...[wish]: Parameters<W[K]>
  ): Promise<Awaited<ReturnType<W[K]>>> {
    const id = ++questions
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(late)
        child.off('message', take)
        child.off('exit', lose)
      }
      const lose = () => {
        end()
        reject(new Error(`a child process did not answer: ${name}`))
      }
      const take = (answer: Answer) => {
        if (answer.id !== id) return
        end()
        if (answer.problem === undefined) resolve(answer.value as Awaited<ReturnType<W[K]>>)
        else reject(new Error(answer.problem))
      }
      const late = setTimeout(lose, longestMs)
      child.on('message', take)
      child.on('exit', lose)
      child.send({ id, name, wish } satisfies Question)
    })
  }
}
export type Ask<W extends Work> = ReturnType<typeof askChild<W>>

/** In the child, which ends when its parent does. */
export function answerParent(work: Work) {
  process.on('disconnect', () => process.exit())
  process.on('message', ({ id, name, wish }: Question) => {
    const run = async () => await (work[name] as (wish: unknown) => unknown)(wish)
    run().then(
      (value) => process.send?.({ id, value } satisfies Answer),
      (error: Error) => process.send?.({ id, problem: `${name}: ${error.stack}` } satisfies Answer),
    )
  })
}
