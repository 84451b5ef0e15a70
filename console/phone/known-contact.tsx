/** The other party of a call: its contact, the last three calls with it and the last note (D596). */
import { useQuery } from '@tanstack/react-query'
import { request } from '../api.ts'
import { useFormat } from '../parts/format.ts'
import { useOutcomes } from '../parts/records/outcomes.ts'
import { callWords } from '../words/calls.ts'
import { useWords } from '../words/language.ts'
import { peopleWords } from '../words/people.ts'

/** The note may be of an earlier call than those shown. */
const readCalls = 10
const shownCalls = 3
const fields = ['id', 'started_at', 'status', 'outcome', 'notes'] as const

/** Extensions are no contacts. */
const isTelephone = (number: string) => number.replaceAll(/\D/g, '').length > 6

export function KnownContact({ number, callId }: { number: string; callId: string | undefined }) {
  const words = useWords(peopleWords)
  const { status } = useWords(callWords)
  const { labelOf } = useOutcomes()
  const format = useFormat()
  const enabled = isTelephone(number)
  const contact = useQuery({
    queryKey: ['contacts', 'of number', number],
    queryFn: () => request('GET', '/contacts', { query: queryOf({ numbers: number }, 1) }),
    enabled,
  })
  const calls = useQuery({
    queryKey: ['contact calls', number],
    queryFn: () => {
      const where = { or: [{ to: number }, { from: number }] }
      return request('GET', '/calls', { query: queryOf(where, readCalls + 1, fields) })
    },
    enabled,
  })
  const [person] = contact.data?.data ?? []
  const before = (calls.data?.data ?? []).filter(({ id }) => id !== callId)
  const note = before.find(({ notes }) => notes)?.notes
  if (!person && before.length === 0) return null
  return (
    <div className="known-contact stack small" data-contact={person?.id}>
      {person && (
        <p>
          <strong>{person.name}</strong>
          {person.company && ` · ${person.company}`}
        </p>
      )}
      {before.length > 0 && (
        <div>
          <span className="faint">{words.lastCalls}</span>
          <ul>
            {before.slice(0, shownCalls).map((call) => (
              <li key={call.id}>
                {format.moment(call.started_at ?? '')} ·{' '}
                {call.outcome ? labelOf(call.outcome) : call.status && status[call.status]}
              </li>
            ))}
          </ul>
        </div>
      )}
      {note && (
        <p>
          <span className="faint">{words.lastNote}:</span> {note}
        </p>
      )}
    </div>
  )
}

function queryOf(where: object, limit: number, shown?: readonly string[]) {
  return { page: 1, filter: JSON.stringify({ where, limit, ...(shown && { fields: shown }) }) }
}
