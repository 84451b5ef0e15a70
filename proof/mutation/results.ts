/** The results of the mutants: the score of an area, its survivors, and whether those of the canary are as expected. */
import type { Summary } from './in-process-log.ts'

/** A mutant, as Stryker's instrumenter describes it. */
export type Place = {
  id: string
  fileName: string
  mutatorName: string
  replacement: string
  /** Lines and columns from 0 on. */
  location: { start: { line: number; column: number }; end: { line: number; column: number } }
  /** `Ignored`, or undefined. */
  status?: string
}

export type Mutant = Omit<Place, 'status'> & {
  status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage'
  /** In code that runs outside of tests only. */
  isOutside: boolean
}

/** The mutants with their results. */
export function resultsOf(mutants: readonly Place[], summary: Summary): Mutant[] {
  const { failed, timedOut, reached, outside } = summary
  const inTests = new Set([...reached.values()].flat())
  return mutants.map((mutant) => {
    const { id } = mutant
    const isOutside = outside.has(id) && !inTests.has(id)
    const undetected = isOutside || inTests.has(id) ? 'Survived' : 'NoCoverage'
    const status = failed.has(id) ? 'Killed' : timedOut.has(id) ? 'Timeout' : undetected
    return { ...mutant, status, isOutside }
  })
}

/** The one mutant of the canary that behaves as the code does. */
const knownSurvivor = 'value <= min'
const minCanaries = 12

const isDetected = ({ status }: Mutant) => status === 'Killed' || status === 'Timeout'

export type Score = { killed: number; timedOut: number; survived: number; uncovered: number; percent: number }

export function scoreOf(mutants: readonly Mutant[]): Score {
  const count = (status: Mutant['status']) => mutants.filter((mutant) => mutant.status === status).length
  const detected = mutants.filter(isDetected).length
  return {
    killed: count('Killed'),
    timedOut: count('Timeout'),
    survived: count('Survived'),
    uncovered: count('NoCoverage'),
    percent: mutants.length === 0 ? 0 : Math.floor((1000 * detected) / mutants.length) / 10,
  }
}

/** One line for each mutant that no test noticed, with the code that it replaces. */
export function survivorsOf(mutants: readonly Mutant[], read: (fileName: string) => string): string[] {
  return mutants
    .filter((mutant) => !isDetected(mutant))
    .map((mutant) => {
      const { fileName, location, mutatorName, replacement, status } = mutant
      const text = status === 'NoCoverage' ? 'no test runs it' : 'survived'
      const before = shorten(textAt(read(fileName), location))
      return `${fileName}:${location.start.line + 1} ${mutatorName}: ${before} → ${shorten(replacement)} (${text})`
    })
}

/** Faults of the set-up, by the mutants of the canary. */
export function canaryFaults(mutants: readonly Mutant[]): string[] {
  const survivors = mutants.filter((mutant) => !isDetected(mutant))
  const unexpected = survivors.filter(({ replacement }) => replacement !== knownSurvivor)
  const dead = mutants.filter((mutant) => mutant.isOutside && isDetected(mutant))
  return [
    ...(mutants.length < minCanaries ? [`only ${mutants.length} mutants of the canary`] : []),
    ...unexpected.map(({ replacement, status }) => `the canary's mutant ${shorten(replacement)}: ${status}`),
    ...(survivors.length === unexpected.length ? ['no mutant of the canary survived: any test fails'] : []),
    ...(dead.length === 0 ? ['no mutant of the canary outside of tests was killed'] : []),
  ]
}

/** Files of which nothing was run: no test of the area uses them, or they were loaded without their mutants. */
export function unusedFiles(mutants: readonly Mutant[]): string[] {
  const used = new Set(
    mutants.filter(({ status }) => status !== 'NoCoverage').map(({ fileName }) => fileName),
  )
  return [...new Set(mutants.map(({ fileName }) => fileName))]
    .filter((fileName) => !used.has(fileName))
    .map((fileName) => `no mutant of ${fileName} was run`)
}

function textAt(text: string, { start, end }: Mutant['location']): string {
  const lines = text.split('\n').slice(start.line, end.line + 1)
  return lines
    .map((line, index) => (index === lines.length - 1 ? line.slice(0, end.column) : line))
    .map((line, index) => (index === 0 ? line.slice(start.column) : line))
    .join('\n')
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
