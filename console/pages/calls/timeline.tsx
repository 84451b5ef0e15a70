/** What happened in a call, moment by moment. */
import type { CallRecord } from '../../api-types.ts'
import { duration, useFormat } from '../../parts/format.ts'
import { callWords } from '../../words/calls.ts'
import { useWords } from '../../words/language.ts'
import { callPageWords } from './words.ts'

export function Timeline({ call }: { call: CallRecord }) {
  const words = useWords(callPageWords)
  const { causes } = useWords(callWords)
  const format = useFormat()
  const cause = causes[call.hangup_cause as keyof typeof causes] ?? call.hangup_cause
  const moments = [
    { at: call.started_at, what: words.started, about: undefined },
    { at: call.answered_at, what: words.answered, about: undefined },
    { at: call.ended_at, what: words.ended, about: cause },
  ]
  return (
    <ol className="timeline">
      {moments.map(
        ({ at, what, about }) =>
          at !== null && (
            <li key={what}>
              <span className="number faint">{format.time(at)}</span>
              <div>
                <strong>{what}</strong>
                <p className="faint small">
                  {about ??
                    (at !== call.started_at &&
                      words.afterStart(duration((Date.parse(at) - Date.parse(call.started_at)) / 1000)))}
                </p>
              </div>
            </li>
          ),
      )}
    </ol>
  )
}
