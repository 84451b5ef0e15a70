/** Current figures with their change since the page was opened, and the queues. */
import { Link } from 'wouter'
import type { OperatorOverview, OperatorQueue } from '../../../src/contract/operator.ts'
import { useFormat } from '../../parts/format.ts'
import { Value } from '../../parts/value.tsx'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../words.ts'
import { follow } from './trend.ts'

type Props = { overview: OperatorOverview; readAt: number }

export function Figures({ overview: { nodes }, readAt }: Props) {
  const words = useWords(operatorWords)
  const format = useFormat()
  const trunks = nodes.flatMap((node) => node.trunks)
  const total = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0)
  const figures = [
    {
      name: words.onAir,
      value: total(nodes.map(({ calls }) => calls)),
      about: words.ofAll,
      href: '/calls',
    },
    {
      name: words.phonesNow,
      value: total(nodes.map(({ phones }) => phones)),
      about: words.ofAll,
    },
    {
      name: words.channelsNow,
      value: total(trunks.map(({ used }) => used)),
      about: words.outOf(format.count(total(trunks.map(({ channels }) => channels)))),
      href: '/trunks',
    },
    {
      name: words.nodesNow,
      value: nodes.filter(({ state }) => state === 'active').length,
      about: words.outOf(format.count(nodes.length)),
    },
  ]
  const trend = follow(
    figures.map(({ value }) => value),
    readAt,
  )
  return (
    <div className="cards">
      {figures.map(({ name, value, about, href }, index) => {
        const change = trend?.changes[index]
        const shown = (
          <>
            <h2>{name}</h2>
            <Value>{format.count(value)}</Value>
            <p className="about">
              {change !== undefined && change !== 0 && (
                <span className="badge number">
                  {format.signed(change)} {words.within(format.count(trend?.minutes ?? 0))}
                </span>
              )}{' '}
              {about}
            </p>
          </>
        )
        return href === undefined ? (
          <section key={name} className="card figure">
            {shown}
          </section>
        ) : (
          <Link key={name} href={href} className="card figure">
            {shown}
          </Link>
        )
      })}
    </div>
  )
}

/** Older than this, a queue does not move. */
const slowSeconds = 300

export function Queues({ queues }: { queues: OperatorQueue[] }) {
  const words = useWords(operatorWords)
  const format = useFormat()
  return (
    <section className="card">
      <h2>{words.queues}</h2>
      <dl className="limits">
        {queues.map(({ name, waiting, oldest }) => (
          <div key={name}>
            <dt>{words.queueNames[name]}</dt>
            <dd>
              <strong className="number">{format.count(waiting)}</strong>
              <span className={`small ${isSlow(oldest) ? 'bad' : 'faint'}`}>
                {oldest ? words.oldest(format.ago(oldest)) : words.nothingWaits}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const isSlow = (oldest: string | null) =>
  oldest !== null && Date.now() - Date.parse(oldest) > slowSeconds * 1000
