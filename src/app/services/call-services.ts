/** The services of calls: admission, lists, recordings and the links to them. */
import type { AccountSettingsService } from '../../accounts/account-settings.ts'
import type { Credit } from '../../billing/credit/credit.ts'
import { createCallAdmission } from '../../calls/admission/admission.ts'
import { createCallAnnouncer } from '../../calls/announcer.ts'
import { createCallCounts } from '../../calls/list/counts/call-counts.ts'
import { createMissingKeys } from '../../calls/list/counts/missing-keys.ts'
import { createCallListing } from '../../calls/list/listing.ts'
import { createMissedCalls } from '../../calls/missed/missed-calls.ts'
import { createCallResults } from '../../calls/results/results.ts'
import { createCallStatistics } from '../../calls/statistics/call-statistics.ts'
import type { Config } from '../../config.ts'
import { basePath } from '../../http/entry.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Timers } from '../../kit/timers.ts'
import { createMp3Program } from '../../recordings/copies/mp3-program.ts'
import { createRecordingCopies } from '../../recordings/copies/recording-copies.ts'
import { createLostRecordings } from '../../recordings/lost-recordings.ts'
import { createRecordingPeaks } from '../../recordings/peaks/recording-peaks.ts'
import { createRecordingIntake } from '../../recordings/recording-intake.ts'
import { createRecordingLinks, type RecordingLinks } from '../../recordings/recording-links.ts'
import { createRecordings } from '../../recordings/recordings.ts'
import { createCallRetention, keptSince } from '../../recordings/retention/call-retention.ts'
import type { RecordingStore } from '../../recordings/storage/port.ts'
import type { Database } from '../../store/database.ts'
import type { Searches } from '../../store/searches.ts'
import type { StoredKeys } from '../../store/secrets/stored-keys.ts'
import { createSipTraces } from '../../voice/sip-traces/sip-traces.ts'
import type { Webhooks } from '../../webhooks/webhooks.ts'
import type { Addresses } from '../process/addresses.ts'
import type { Reactions } from '../reactions.ts'
import type { LimitServices } from './limits.ts'

type Base = {
  db: Database
  callsDb: Database
  searches: Searches
  clock: Clock
  timers: Timers
  log: Log
  storedKeys: StoredKeys
  addresses: Addresses
}

/** Links to recordings are in the list of calls and in webhooks. */
export function createLinksToRecordings(config: Config, { clock, storedKeys, addresses }: Base) {
  return createRecordingLinks({
    key: () => storedKeys.get('recording links'),
    clock,
    days: config.recordingDays,
    address: (callId) => `${addresses.publicUrl()}${basePath}/calls/${callId}/recording`,
  })
}

type Deps = {
  config: Config
  base: Base
  credit: Credit
  guard: LimitServices['guard']
  links: RecordingLinks
  store: RecordingStore
  webhooks: Webhooks
  reactions: Reactions
  settings: AccountSettingsService
}

export function createCallServices(deps: Deps) {
  const { config, base, credit, guard, links, store, webhooks, reactions, settings } = deps
  const { db, callsDb, searches, clock, timers, log } = base
  const { recordingDays: days, callsKeptMonths: months } = config
  const announcer = createCallAnnouncer({
    webhooks,
    unsignedLinkOf: links.unsignedLinkOf,
    onChanged: reactions.onCalls,
  })
  const recordings = createRecordings({
    db,
    clock,
    timers,
    store,
    days,
    callsKeptSince: () => (months === undefined ? undefined : keptSince(clock.now(), months)),
  })
  return {
    counts: createCallCounts({ db, clock }),
    missingKeys: createMissingKeys({ db, clock }),
    figures: createCallStatistics({ db }),
    retention: createCallRetention({ db, clock, log, recordings, months }),
    listing: createCallListing({ db, clock, searches }),
    sipTraces: createSipTraces({ db, clock, days: config.sipTraceDays }),
    missed: createMissedCalls({ db, clock, searches }),
    results: createCallResults({
      db,
      clock,
      announcer,
      languageOf: async (caller) => (await settings.read(caller)).language,
    }),
    links,
    announcer,
    admission: createCallAdmission({ db: callsDb, announcer, credit, guard }),
    recordings,
    recordingPeaks: createRecordingPeaks({ db, recordings }),
    recordingCopies: createRecordingCopies({
      db,
      log,
      timers,
      store,
      recordings,
      mp3: createMp3Program(config.mp3Program),
    }),
    lostRecordings: createLostRecordings({ db, clock, log, announcer, hours: config.recordingLostHours }),
    recordingIntake: createRecordingIntake({ db: callsDb, clock, log, store, announcer }),
  }
}
