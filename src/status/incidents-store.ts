/** SQL of incidents and maintenance. */
import { type Selectable, sql } from 'kysely'
import type { Database } from '../store/database.ts'
import type { Tables } from '../store/tables.ts'
import type { Incident } from './incident.ts'

/** Those that are not closed, and those closed since; the newest first. */
export async function readIncidents(db: Database, since: Date, limit: number): Promise<Incident[]> {
  const rows = await db
    .selectFrom('incidents')
    .selectAll()
    .where((row) => row.or([row('closed_at', 'is', null), row('closed_at', '>=', since)]))
    .orderBy(sql`closed_at is null`, 'desc')
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toIncident)
}

/** Locked until the transaction ends. */
export async function lockIncident(tx: Database, id: number): Promise<Incident | undefined> {
  const row = await tx.selectFrom('incidents').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toIncident(row)
}

export async function insertIncident(tx: Database, incident: Omit<Incident, 'id'>): Promise<number> {
  const { kind, title, titleEn, openedAt } = incident
  const { id } = await tx
    .insertInto('incidents')
    .values({ kind, title, title_en: titleEn, opened_at: openedAt, ...changing(incident) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function writeIncident(tx: Database, incident: Incident) {
  await tx.updateTable('incidents').set(changing(incident)).where('id', '=', incident.id).execute()
}

function changing(incident: Omit<Incident, 'id'>) {
  const { components, impact, state, startsAt, endsAt, closedAt, updates } = incident
  return {
    components,
    impact,
    state,
    starts_at: startsAt,
    ends_at: endsAt,
    closed_at: closedAt,
    updates: JSON.stringify(updates.toReversed()),
  }
}

function toIncident(row: Selectable<Tables['incidents']>): Incident {
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    titleEn: row.title_en,
    components: row.components,
    impact: row.impact,
    state: row.state,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    openedAt: row.opened_at,
    closedAt: row.closed_at,
    updates: row.updates
      .map(({ at, state, text, textEn }) => ({ at: new Date(at), state, text, textEn }))
      .toReversed(),
  }
}
