/** D559, D566: runs the mutants of an area and of the canary. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { areas, canary } from './areas.ts'
import { type Line, pairOf, parseLog, summaryOf } from './in-process-log.ts'
import { filesOf, instrument } from './instrument.ts'
import { type Mutant, resultsOf } from './results.ts'
import { runInProcess } from './run-in-process.ts'
import { runOutside } from './run-outside.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const allTests = 'all tests'

/** Goes on with the last run, unless the code has changed since, or it is to begin `again`. */
export async function runArea(name: string, again: boolean): Promise<Mutant[]> {
  const folder = join(root, 'reports/mutation', name)
  const [textsPath, log] = [join(folder, 'texts.json'), join(folder, 'log')]
  mkdirSync(folder, { recursive: true })
  const paths = [...canary.mutated, ...filesOf(areas[name]?.mutated ?? [], root)]
  const { files, mutants } = await instrument(paths, root)
  const texts = JSON.stringify(Object.fromEntries(files.map((file) => [join(root, file.name), file.content])))
  if (again || readIfThere(textsPath) !== texts) writeFileSync(log, '')
  writeFileSync(textsPath, texts)
  const env = { ...process.env, MUTATED_AREA: name, MUTANTS_FOLDER: folder }
  await runInProcess({ ...env, MUTANTS_LOG: log }, log)
  const summary = () => summaryOf(parseLog(readFileSync(log, 'utf8')))
  const { failed, timedOut, reached, passed, outside, unusable } = summary()
  const inTests = new Set([...reached.values()].flat())
  const isOpen = (id: string) =>
    !failed.has(id) && !timedOut.has(id) && !inTests.has(id) && !passed.has(pairOf(id, allTests))
  for (const [test, reason] of unusable) process.stderr.write(`left out, since it ${reason}: ${test}\n`)
  Object.assign(process.env, env)
  await runOutside([...outside].filter(isOpen), (id, hasFailed) => {
    const line: Line = { tried: id, test: allTests, result: hasFailed ? 'failed' : 'passed' }
    appendFileSync(log, `${JSON.stringify(line)}\n`)
  })
  return resultsOf(
    mutants.filter(({ status }) => status !== 'Ignored'),
    summary(),
  )
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
