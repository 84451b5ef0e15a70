/**
 * Records changed since a time, in the order of the changes (D575). A cursor names the last change that a client has: its
 * time to the microsecond, and the id of the record.
 */
import { refuseParameter } from '../contract/errors.ts'
import { pageTexts } from './texts.ts'

/** Changes after this one; of changes at the same time, those of higher ids. */
export type LastChange = { at: string; id: string }

/** A page of records as they are now, each once. */
export type Updates<Row> = { rows: Row[]; cursor: string; more: boolean }

type IdKind = 'uuid' | 'bigint'

const forms: Record<IdKind, { text: RegExp; lowest: string }> = {
  uuid: {
    text: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    lowest: '00000000-0000-0000-0000-000000000000',
  },
  bigint: { text: /^\d{1,15}$/, lowest: '0' },
}

const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/

/** Before every change since this time; without one, before all. */
export function beforeChanges(kind: IdKind, since?: Date): LastChange {
  const at = since?.toISOString().replace('Z', '000Z') ?? '0001-01-01T00:00:00.000000Z'
  return { at, id: forms[kind].lowest }
}

export function writeLastChange({ at, id }: LastChange): string {
  return `${at}_${id}`
}

export function readLastChange(kind: IdKind, cursor: string): LastChange {
  const [at = '', id = '', ...more] = cursor.split('_')
  const isWhole = time.test(at) && !Number.isNaN(Date.parse(at)) && forms[kind].text.test(id)
  if (!isWhole || more.length > 0) throw refuseParameter('cursor', pageTexts.foreignUpdates)
  return { at, id }
}

/** Rows in the order of their keys, without those that are gone since the keys were read. */
export function inOrderOf<Row>(ids: string[], rows: Row[], idOf: (row: Row) => number | string): Row[] {
  const byId = new Map(rows.map((row) => [String(idOf(row)), row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
