/** Prints what happens in the demo with its time, and runs its steps. */
import { styleText } from 'node:util'
import { say } from '../say.ts'

/** For one step: ten times what it needs. */
const stepTimeoutMs = 60_000
const pollMs = 25

/** Its message names the step and the reason. */
export class StepFailure extends Error {
  override name = 'StepFailure'
}

export function createTimeLine() {
  const began = performance.now()

  function note(source: string, text: string) {
    const seconds = ((performance.now() - began) / 1000).toFixed(2).padStart(6)
    say(`${paint('dim', `${seconds} s`)}  ${paint('cyan', source.padEnd(9))}${text}`)
  }

  /** Runs the work with a timeout; a failure names the step. */
  async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => timeout.reject(new Error(`no result within ${stepTimeoutMs / 1000} s`)),
      stepTimeoutMs,
    )
    try {
      return await Promise.race([work(), timeout.promise])
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new StepFailure(`The demo failed at "${name}": ${why}`, { cause })
    } finally {
      clearTimeout(timer)
    }
  }

  return { note, step, seconds: () => (performance.now() - began) / 1000 }
}
export type TimeLine = ReturnType<typeof createTimeLine>

/** Without colours if the output is not a terminal. */
export function paint(style: 'bold' | 'dim' | 'cyan', text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Polls until `find` returns something. */
export async function until<T>(
  find: () => Promise<T | undefined> | T | undefined,
  ms = stepTimeoutMs,
): Promise<T> {
  for (const end = performance.now() + ms; performance.now() < end; await pause(pollMs)) {
    const found = await find()
    if (found !== undefined) return found
  }
  throw new Error(`not found within ${ms / 1000} s`)
}
