/** How the result of a call came about: who changed it, when, and to what (D592). */
import { useQuery } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { CallChange } from '../../api-types.ts'
import { useFormat } from '../../parts/format.ts'
import { useOutcomes } from '../../parts/records/outcomes.ts'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.ts'
import { callPageWords } from './words.ts'

export function Changes({ id }: { id: string }) {
  const words = useWords(callPageWords)
  const found = useQuery({
    queryKey: ['call', id, 'changes'],
    queryFn: () => request('GET', '/calls/{id}/changes', { path: { id } }),
  })
  return (
    <Loaded query={found} lines={2}>
      {(changes) =>
        changes.length === 0 ? (
          <p className="faint">{words.noChanges}</p>
        ) : (
          <ol className="stack" reversed aria-label={words.changes}>
            {changes.map((change, index) => (
              <li key={change.revision}>
                <Change change={change} before={changes[index + 1]} />
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  )
}

/** Differences from the change before; the oldest that is kept is shown whole. */
function Change({ change, before }: { change: CallChange; before: CallChange | undefined }) {
  const words = useWords(callPageWords)
  const format = useFormat()
  const { labelOf } = useOutcomes()
  const { outcome, tags, notes } = change
  const isFirst = before === undefined
  const hasOutcome = isFirst ? outcome !== null : outcome !== before.outcome
  const hasTags = isFirst ? tags.length > 0 : tags.join('\n') !== before.tags.join('\n')
  const hasNotes = isFirst ? notes !== '' : notes !== before.notes
  return (
    <>
      <div className="faint small">
        {format.moment(change.at)} · {change.user_name}
      </div>
      {hasOutcome && <div>{words.outcomeBecame(outcome === null ? words.nothing : labelOf(outcome))}</div>}
      {hasTags && <div>{words.tagsBecame(tags.join(', ') || words.nothing)}</div>}
      {hasNotes && <div style={{ whiteSpace: 'pre-wrap' }}>{words.notesBecame(notes || words.nothing)}</div>}
    </>
  )
}
