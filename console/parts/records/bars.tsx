/** Bars over time: how many, and how many of them are of the better kind. For screen readers there is a table. */
import './bars.css'

type Bar = { name: string; all: number; part: number }
type Props = { bars: Bar[]; caption: string; names: { bar: string; all: string; part: string; most: string } }

const height = 120

/** All bars of a kind are one path: a quarter of the elements, whose style the browser computes. */
const barOf = (index: number, share: number) =>
  share === 0 ? '' : `M${index * 10 + 1} ${height}v${-share * height}h8V${height}z`

export function Bars({ bars, caption, names }: Props) {
  const most = Math.max(1, ...bars.map(({ all }) => all))
  const labelled = Math.ceil(bars.length / 8)
  return (
    <figure className="bars">
      <p className="legend small" aria-hidden="true">
        <span className="key all" /> {names.all} <span className="key part" /> {names.part}
        <span className="most">
          {names.most} {most}
        </span>
      </p>
      <svg
        viewBox={`0 0 ${bars.length * 10} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <path className="all" d={bars.map(({ all }, index) => barOf(index, all / most)).join('')} />
        <path className="part" d={bars.map(({ part }, index) => barOf(index, part / most)).join('')} />
        {bars.map(({ name, all, part }, index) => (
          <rect key={name} className="hit" x={index * 10} y={0} width={10} height={height}>
            <title>{`${name}: ${all}, ${part}`}</title>
          </rect>
        ))}
      </svg>
      <div
        className="axis small"
        aria-hidden="true"
        style={{ gridTemplateColumns: `repeat(${bars.length}, minmax(0, 1fr))` }}
      >
        {bars.map(
          ({ name }, index) =>
            index % labelled === 0 && (
              <span key={name} style={{ gridColumn: index + 1 }}>
                {name}
              </span>
            ),
        )}
      </div>
      <table className="visually-hidden">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{names.bar}</th>
            <th scope="col">{names.all}</th>
            <th scope="col">{names.part}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ name, all, part }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{all}</td>
              <td>{part}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
