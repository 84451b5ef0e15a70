/** The tiny runner: a person does one step after the other; each step is a sentence in the output, with its time. */
import { Skipped } from './programs.ts'

const stepMs = 60_000

/** Saves what the person sees when a step has failed. */
type Witness = (name: string) => Promise<unknown>

export type Person = {
  /** A step on which the rest of the story depends: when it fails, the story ends. */
  step: <T>(sentence: string, run: () => Promise<T>, withinMs?: number) => Promise<T>
  /** A step after which the story goes on either way. */
  check: (sentence: string, run: () => Promise<unknown>, withinMs?: number) => Promise<void>
  /** What is looked at when a step of this person fails. */
  watch: (witness: Witness) => void
  /** Done when the story is over, the last one first. */
  atEnd: (undo: () => unknown) => void
}

class StoryEnded extends Error {}

export function createRunner() {
  const began = performance.now()
  const count = { passed: 0, failed: 0, skipped: 0 }
  const write = (text: string) => process.stdout.write(`${text}\n`)

  function report(mark: string, who: string, sentence: string, since: number) {
    const at = clockOf(since - began)
    const took = ((performance.now() - since) / 1000).toFixed(1)
    write(`${mark.padEnd(4)}  ${at}  ${took.padStart(5)} s  ${who} ${sentence}`)
  }

  async function perform<T>(
    who: string,
    witnesses: Witness[],
    sentence: string,
    run: () => Promise<T>,
    withinMs = stepMs,
  ): Promise<{ value: T } | undefined> {
    const since = performance.now()
    try {
      const value = await within(run(), withinMs)
      count.passed += 1
      report('ok', who, sentence, since)
      return { value }
    } catch (error) {
      if (error instanceof Skipped) {
        count.skipped += 1
        report('SKIP', who, `${sentence}: ${error.message}`, since)
        return undefined
      }
      count.failed += 1
      report('FAIL', who, sentence, since)
      write(indented(reasonOf(error)))
      const name = `${who} ${sentence}`.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80)
      for (const witness of witnesses) await witness(name).catch(() => {})
      return undefined
    }
  }

  /** Tells the story of one person; a failure inside is counted and ends this story only. */
  async function tell<T>(who: string, story: (person: Person) => Promise<T>): Promise<T | undefined> {
    const witnesses: Witness[] = []
    const undoes: (() => unknown)[] = []
    const person: Person = {
      async step(sentence, run, withinMs) {
        const done = await perform(who, witnesses, sentence, run, withinMs)
        if (!done) throw new StoryEnded()
        return done.value
      },
      async check(sentence, run, withinMs) {
        await perform(who, witnesses, sentence, run, withinMs)
      },
      watch: (witness) => void witnesses.unshift(witness),
      atEnd: (undo) => void undoes.unshift(undo),
    }
    try {
      return await story(person)
    } catch (error) {
      if (error instanceof StoryEnded) {
        write(`      the story of the ${who} ends here`)
      } else {
        await perform(who, witnesses, 'goes through the story', () => Promise.reject(error))
      }
      return undefined
    } finally {
      for (const undo of undoes) await Promise.resolve(undo()).catch(() => {})
    }
  }

  return { tell, count, write }
}
export type Tell = ReturnType<typeof createRunner>['tell']

async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${ms / 1000} s`)), ms)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function clockOf(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The message with its causes, and where in the story it was. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const places = (error.stack ?? '').split('\n').filter((line) => line.includes('/rehearsal/people/'))
  const cause = error.cause === undefined ? [] : [`because: ${reasonOf(error.cause)}`]
  const answer = 'response' in error ? [JSON.stringify(readBody(error.response))] : []
  return [error.message, ...answer, ...cause, ...places.slice(0, 1)].join('\n')
}

/** axios and superagent hold what was answered. */
function readBody(response: unknown): unknown {
  const { data, body } = (response ?? {}) as { data?: unknown; body?: unknown }
  return data ?? body
}

const indented = (text: string) =>
  text
    .split('\n')
    .slice(0, 30)
    .map((line) => `      ${line}`)
    .join('\n')
