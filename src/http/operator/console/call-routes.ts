/** Calls of all accounts, and hanging up a live one (D620). */
import { refuse } from '../../../contract/errors.ts'
import {
  OperatorCall,
  OperatorHangUp,
  OperatorHungUp,
  type OperatorLiveCall,
  OperatorLiveCalls,
} from '../../../contract/operator-calls.ts'
import type { OperatorCalls } from '../../../placing/operator-calls.ts'
import { type AnyOperatorEntry, operatorEntry } from './operator-entry.ts'
import { perPage, readPagingOf } from './paging.ts'

export type CallDeps = { operatorCalls: OperatorCalls }

const params = { id: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d' }

const noCall = { en: 'There is no call with this id.', pt: 'Não existe chamada com este id.' }

export function callEntries({ operatorCalls }: CallDeps): AnyOperatorEntry[] {
  return [
    operatorEntry({
      method: 'GET',
      path: '/calls',
      about: 'List the live calls of all accounts, newest first',
      query: {
        search: { about: 'A part of the domain, or of a number on either side', example: 'clinica' },
        page: { about: 'Which page, from 1', example: 1 },
      },
      reply: OperatorLiveCalls,
      async run({ query }) {
        const { text, page, offset } = readPagingOf(query)
        const { rows, total } = await operatorCalls.search({ text, limit: perPage, offset })
        return { rows: rows.map(present), total, page, perPage }
      },
    }),
    operatorEntry({
      method: 'GET',
      path: '/calls/:id',
      about: 'Read a call of any account',
      params,
      reply: OperatorCall,
      errors: ['CALL_NOT_FOUND'],
      async run({ params: { id = '' } }) {
        const call = await operatorCalls.find(id)
        if (!call) throw refuse('CALL_NOT_FOUND', { message: noCall })
        return presentAny(call)
      },
    }),
    operatorEntry({
      method: 'POST',
      path: '/calls/:id/hangup',
      about: 'Hang up a live call of any account',
      notes:
        'Wherever it is. Answered once the end is stored, or after two seconds; in the audit log of the account.',
      params,
      body: OperatorHangUp,
      reply: OperatorHungUp,
      errors: ['CALL_NOT_FOUND', 'CALL_ENDED'],
      async run({ params: { id = '' }, body: { reason } }) {
        await operatorCalls.hangUp(id, reason.trim())
        return { id }
      },
    }),
  ]
}

type Row = Awaited<ReturnType<OperatorCalls['search']>>['rows'][number]

function present(row: Row): OperatorLiveCall {
  return {
    id: row.id,
    domain: row.domain,
    type: row.call_type,
    // A live call has no other.
    status: row.shown_status as OperatorLiveCall['status'],
    from: row.from_number,
    to: row.to_number,
    startedAt: row.started_at.toISOString(),
    answeredAt: row.answered_at?.toISOString() ?? null,
    node: row.node,
  }
}

type AnyCall = NonNullable<Awaited<ReturnType<OperatorCalls['find']>>>

function presentAny(row: AnyCall): OperatorCall {
  return {
    id: row.id,
    domain: row.domain,
    type: row.call_type,
    status: row.shown_status,
    from: row.from_number,
    to: row.to_number,
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  }
}
