/**
 * Vitest starts the largest of the files that it has not run before. Some of the smallest take longest: started last, they would keep
 * one worker busy while the others have nothing left to do.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Longest first, of a run on two cores. */
const long = [
  'proof/simulate',
  'test/console/phone-network',
  'test/fleet/rolling-restart',
  'test/fleet/drills',
  'test/upgrade/previous-release',
  'test/samples/samples',
  'test/console/phone/answering',
  'test/console/account-stories',
  'test/console/narrow',
  'test/console/story',
  'test/console/many-calls',
  'test/fleet/fleet',
  'test/journeys/crashes/killed-call',
  'test/console/phone-places',
  'test/clients/story',
  'test/console/phone/microphone',
  'test/console/everyday/shell',
  'test/console/everyday/results',
  'test/journeys/crashes/crash-matrix',
  'test/journeys/crashes/process-tree',
  'test/docs/readme',
  'test/security/http/fuzzed-requests',
  'test/journeys/crashes/kill',
  'test/journeys/operating/operator',
  'test/site/browser',
  'test/console/pages',
  'test/journeys/events/local-events',
  'src/calls/list/page-reader',
  'test/journeys/fleet/secret-rotation',
].map((path) => `/${path}.test.ts`)

function rankOf({ moduleId }: TestSpecification): number {
  const found = long.findIndex((path) => moduleId.endsWith(path))
  return found === -1 ? long.length : found
}

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
