/**
 * `npm run freeze-release`: keeps the interface of this version in docs/released/<version>, for `npm test` to compare later
 * versions with (D537). A version is kept once, when it is released.
 */
import { existsSync, readFileSync } from 'node:fs'
import { findBreakingChanges, interfaceOf, releases, writeReleased } from './compatibility/released.ts'
import { describeRunningService } from './running-service.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const problem = await freeze()
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}

async function freeze(): Promise<string | undefined> {
  if (existsSync(new URL(`${version}/`, releases)))
    return `docs/released/${version} is there: a released version does not change. Raise the version in package.json; or, if ${version} was never published, remove the folder first.`
  const found = await interfaceOf(await describeRunningService())
  const { since, changes } = findBreakingChanges(found, version)
  if (changes.length > 0) return `${version} breaks what ${since} promised:\n${changes.join('\n')}`
  writeReleased(version, found)
  return undefined
}
