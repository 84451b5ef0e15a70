/** What happens in the demo, line by line with its time, and the steps it is made of. */
import { styleText } from 'node:util'
import { say } from '../say.ts'

/** Of one step; none takes a tenth of it, unless the machine is very busy. */
const stepMs = 60_000
const lookMs = 25

/** The name of the step and why it failed, in one sentence. */
export class StepFailure extends Error {
  override name = 'StepFailure'
}

export function createTimeLine() {
  const began = performance.now()

  function note(who: string, what: string) {
    const seconds = ((performance.now() - began) / 1000).toFixed(2).padStart(6)
    say(`${paint('dim', `${seconds} s`)}  ${paint('cyan', who.padEnd(9))}${what}`)
  }

  /** Does the work, and says which it was if it fails or does not come to an end. */
  async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error(`nothing within ${stepMs / 1000} s`)), stepMs)
    try {
      return await Promise.race([work(), late.promise])
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

/** Colours are for terminals alone. */
export function paint(style: 'bold' | 'dim' | 'cyan', text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** What it finds, once there is something; `ms` at most. */
export async function until<T>(find: () => Promise<T | undefined> | T | undefined, ms = stepMs): Promise<T> {
  for (const end = performance.now() + ms; performance.now() < end; await pause(lookMs)) {
    const found = await find()
    if (found !== undefined) return found
  }
  throw new Error('waited in vain')
}
