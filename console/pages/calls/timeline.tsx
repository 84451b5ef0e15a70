/** What happened in a call, moment by moment. */
import '../../look/timeline.css'
import { Link } from 'wouter'
import type { CallTimeline } from '../../api-types.ts'
import { duration, useFormat } from '../../parts/format.ts'
import { telephone } from '../../parts/telephone.ts'
import { callWords } from '../../words/calls.ts'
import { useWords } from '../../words/language.ts'
import { callPageWords } from './words.ts'

type Moment = CallTimeline['events'][number]

export function Timeline({ events }: { events: Moment[] }) {
  const words = useWords(callPageWords)
  const format = useFormat()
  const start = Date.parse(events[0]?.at ?? '')
  return (
    <ol className="timeline">
      {events.map((moment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: moments have no id, and are only added at the end.
        <li key={index}>
          <span className="number faint">{format.time(moment.at)}</span>
          <div>
            <strong>{words.moments[moment.type]}</strong>
            <p className="faint small">
              {index > 0 && words.afterStart(duration((Date.parse(moment.at) - start) / 1000))}
              <About moment={moment} />
            </p>
          </div>
        </li>
      ))}
    </ol>
  )
}

function About({ moment: { type, by, to, key, callId, cause } }: { moment: Moment }) {
  const words = useWords(callPageWords)
  const { causes } = useWords(callWords)
  if (type === 'key-pressed') {
    const pressed = key === 'x' ? words.hiddenKey : key
    return ` · ${by === undefined ? '' : words.parties[by]}: ${pressed}`
  }
  if (callId !== undefined)
    return (
      <>
        {' · '}
        <Link href={`/calls/${callId}`}>{to === undefined ? words.otherCall : telephone(to)}</Link>
      </>
    )
  const reason = cause === undefined ? '' : ` · ${causes[cause as keyof typeof causes] ?? cause}`
  return by === undefined ? reason : `${reason} (${words.parties[by]})`
}
