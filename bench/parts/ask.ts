/** Commands to a child process and their replies (RPC over the IPC channel). */
import type { ChildProcess } from 'node:child_process'

/** The commands of a child, by name. Arguments and results are sent between processes, so they must be serializable. */
type Work = Record<string, (argument: never) => unknown>

type Command = { id: number; name: string; argument: unknown }
type Reply = { id: number; value?: unknown; problem?: string }

const usualTimeoutMs = 300_000

/** For the parent. `W` is the type of the commands that the child exports. */
export function askChild<W extends Work>(child: ChildProcess, timeoutMs = usualTimeoutMs) {
  let commands = 0
  child.setMaxListeners(0)

  return function ask<K extends keyof W & string>(
    name: K,
    ...[argument]: Parameters<W[K]>
  ): Promise<Awaited<ReturnType<W[K]>>> {
    const id = ++commands
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
      const take = (answer: Reply) => {
        if (answer.id !== id) return
        end()
        if (answer.problem === undefined) resolve(answer.value as Awaited<ReturnType<W[K]>>)
        else reject(new Error(answer.problem))
      }
      const late = setTimeout(lose, timeoutMs)
      child.on('message', take)
      child.on('exit', lose)
      // Without the callback, a child killed a moment ago would raise an unhandled error.
      child.send({ id, name, argument } satisfies Command, (error) => {
        if (error) lose()
      })
    })
  }
}
export type Ask<W extends Work> = ReturnType<typeof askChild<W>>

/** For the child, which exits when its parent does. */
export function answerParent(work: Work) {
  process.on('disconnect', () => process.exit())
  process.on('message', ({ id, name, argument }: Command) => {
    const run = async () => await (work[name] as (argument: unknown) => unknown)(argument)
    run().then(
      (value) => process.send?.({ id, value } satisfies Reply),
      (error: Error) => process.send?.({ id, problem: `${name}: ${error.stack}` } satisfies Reply),
    )
  })
}
