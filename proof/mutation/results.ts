/** The results of the mutants: the score of an area, its survivors, and whether those of the canary are as expected. */

/** A mutant, as Stryker reports it. */
export type Mutant = {
  fileName: string
  mutatorName: string
  replacement: string
  status: string
  location: { start: { line: number; column: number }; end: { line: number; column: number } }
  static?: boolean
  /** Tests that run through the mutated code. */
  coveredBy?: string[]
}

/** The one mutant of the canary that behaves as the code does. */
const knownSurvivor = 'value <= min'
const minCanaries = 12

const isDetected = ({ status }: Mutant) => status === 'Killed' || status === 'Timeout'
const isUndetected = ({ status }: Mutant) => status === 'Survived' || status === 'NoCoverage'

export type Score = { killed: number; timedOut: number; survived: number; uncovered: number; percent: number }

/** Mutants that could not run, or were left out, do not count. */
export function scoreOf(mutants: readonly Mutant[]): Score {
  const count = (status: string) => mutants.filter((mutant) => mutant.status === status).length
  const detected = mutants.filter(isDetected).length
  const counted = detected + mutants.filter(isUndetected).length
  return {
    killed: count('Killed'),
    timedOut: count('Timeout'),
    survived: count('Survived'),
    uncovered: count('NoCoverage'),
    percent: counted === 0 ? 0 : Math.floor((1000 * detected) / counted) / 10,
  }
}

/** One line for each mutant that no test noticed, with the code that it replaces. */
export function survivorsOf(mutants: readonly Mutant[], read: (fileName: string) => string): string[] {
  return mutants.filter(isUndetected).map((mutant) => {
    const { fileName, location, mutatorName, replacement, status } = mutant
    const text = status === 'NoCoverage' ? 'no test runs it' : 'survived'
    const before = shorten(textAt(read(fileName), location))
    return `${fileName}:${location.start.line} ${mutatorName}: ${before} → ${shorten(replacement)} (${text})`
  })
}

/** Faults of the set-up, by the mutants of the canary. */
export function canaryFaults(mutants: readonly Mutant[]): string[] {
  const survivors = mutants.filter((mutant) => !isDetected(mutant))
  const unexpected = survivors.filter(({ replacement }) => replacement !== knownSurvivor)
  const dead = mutants.filter((mutant) => mutant.static === true && isDetected(mutant))
  return [
    ...(mutants.length < minCanaries ? [`only ${mutants.length} mutants of the canary`] : []),
    ...unexpected.map(({ replacement, status }) => `the canary's mutant ${shorten(replacement)}: ${status}`),
    ...(survivors.length === unexpected.length ? ['no mutant of the canary survived: any test fails'] : []),
    ...(dead.length === 0 ? ['no static mutant of the canary was killed'] : []),
  ]
}

function textAt(text: string, { start, end }: Mutant['location']): string {
  const lines = text.split('\n').slice(start.line - 1, end.line)
  return lines
    .map((line, index) => (index === lines.length - 1 ? line.slice(0, end.column - 1) : line))
    .map((line, index) => (index === 0 ? line.slice(start.column - 1) : line))
    .join('\n')
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
