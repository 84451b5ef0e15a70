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
  'test/journeys/crashes/crash-matrix',
  'test/fleet/fleet',
  'test/console/narrow',
  'test/upgrade/previous-release',
  'test/fleet/failover',
  'test/console/account-stories',
  'test/fleet/drills',
  'test/console/phone/answering',
  'test/console/story',
  'test/journeys/crashes/killed-call',
  'test/console/everyday/shell',
  'test/journeys/crashes/process-tree',
  'test/sip/contract/contract-endpoint',
  'test/journeys/events/local-events',
  'src/media/media',
  'test/console/operator-sip',
  'test/console/many-calls',
  'test/journeys/operating/operator',
  'test/security/http/fuzzed-requests',
  'test/journeys/crashes/kill',
  'test/samples/samples',
  'test/spec/calls/live',
  'test/docs/readme',
  'test/console/phone-places',
  'test/console/everyday/results',
  'test/console/phone/after-call',
  'test/console/phone/second-call',
  'test/security/sip/fuzzed-messages',
  'test/clients/story',
  'test/site/browser',
  'test/console/pages',
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
