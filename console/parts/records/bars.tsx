/** Bars over time: how many, and how many of them are of the better kind. For screen readers there is a table. */
import './bars.css'

type Bar = { name: string; all: number; part: number }
type Props = { bars: Bar[]; caption: string; names: { bar: string; all: string; part: string; most: string } }

const height = 120

export function Bars({ bars, caption, names }: Props) {
  const most = Math.max(1, ...bars.map(({ all }) => all))
  const heightOf = (count: number) => (count / most) * height
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
        {bars.map(({ name, all, part }, index) => (
          <g key={name}>
            <title>{`${name}: ${all}, ${part}`}</title>
            <rect className="hit" x={index * 10} y={0} width={10} height={height} />
            <rect
              className="all"
              x={index * 10 + 1}
              y={height - heightOf(all)}
              width={8}
              height={heightOf(all)}
            />
            <rect
              className="part"
              x={index * 10 + 1}
              y={height - heightOf(part)}
              width={8}
              height={heightOf(part)}
            />
          </g>
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
