/**
 * D585: with DAILY_FILES, a file a day for each account with the calls that are new or were changed since its last one, and
 * another with the charges, as lines of JSON. The position is stored after the file: a kill in between writes the file of
 * the day again, with what was changed meanwhile.
 */
import type { Charges } from '../billing/charges/charges.ts'
import { callList } from '../calls/list/call-list.ts'
import type { CallListing } from '../calls/list/listing.ts'
import { beforeChanges, type LastChange, readLastChange } from '../filter/updates.ts'
import { writeCall } from '../http/routes/calls/call-list.ts'
import { presentCharge } from '../http/routes/money/charges.ts'
import type { Log } from '../kit/process/log.ts'
import type { RecordingLinks } from '../recordings/recording-links.ts'
import type { PlainFiles } from '../recordings/storage/plain-files.ts'
import type { Database } from '../store/database.ts'
import { claimFile, type DueFile, recordFile, selectDueFiles } from './daily-files-store.ts'

/** Records read at once: the others of the process wait for no more than these are written as text. */
const pageSize = 200

type Page = { lines: string[]; cursor: string; more: boolean }

/** Records of one kind, as the API answers them. */
type Source = {
  idType: 'uuid' | 'bigint'
  read: (accountId: number, last: LastChange) => Promise<Page>
}

type Deps = {
  db: Database
  log: Log
  files: PlainFiles
  callListing: CallListing
  recordingLinks: RecordingLinks
  charges: Charges
}

export function createDailyFiles({ db, log, files, callListing, recordingLinks, charges }: Deps) {
  const callFields = new Set([...callList.shows, ...(callList.showsIfNamed ?? [])])
  const sources: Record<string, Source> = {
    calls: {
      idType: 'uuid',
      async read(accountId, last) {
        const { rows, ...end } = await callListing.updatedOfAccount(accountId, last, pageSize)
        return { ...end, lines: rows.map((row) => writeCall(recordingLinks, row, callFields)) }
      },
    },
    charges: {
      idType: 'bigint',
      async read(accountId, last) {
        const { rows, ...end } = await charges.updated({ accountId }, last, pageSize)
        return { ...end, lines: rows.map((row) => JSON.stringify(presentCharge(row))) }
      },
    },
  }

  async function tick(isStopping: () => boolean) {
    for (const due of await selectDueFiles(db, Object.keys(sources))) {
      if (isStopping()) return
      const source = sources[due.kind]
      if (source) await writeDue(due, source)
    }
  }

  async function writeDue(due: DueFile, source: Source) {
    const claimed = await claimFile(db, due)
    if (!claimed) return
    const start =
      claimed.cursor === null ? beforeChanges(source.idType) : readLastChange(source.idType, claimed.cursor)
    const first = await source.read(due.accountId, start)
    let [records, { cursor }] = [0, first]
    async function* bytes() {
      for (
        let page = first;
        ;
        page = await source.read(due.accountId, readLastChange(source.idType, cursor))
      ) {
        records += page.lines.length
        cursor = page.cursor
        yield Buffer.from(page.lines.map((line) => `${line}\n`).join(''))
        if (!page.more) return
      }
    }
    const name = `${due.domain}/${due.kind}/${claimed.day}.ndjson`
    // Without a change there is no file.
    if (first.lines.length > 0) {
      await files.write(name, bytes())
      log.info({ file: name, records }, 'a daily file was written')
    }
    await recordFile(db, due, { cursor, day: claimed.day })
  }

  return { tick }
}
