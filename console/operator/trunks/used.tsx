/** How many channels of a trunk are in use, as a figure and as a bar that warns before they are all taken. */
import { useFormat } from '../../parts/format.ts'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../words.ts'

export function Used({ used, of }: { used: number; of: number }) {
  const words = useWords(operatorWords)
  const format = useFormat()
  const text = `${format.count(used)} / ${format.count(of)}`
  return (
    <span className="used">
      <meter
        className="hide-narrow"
        aria-label={words.channels}
        min={0}
        max={of}
        low={of * 0.8}
        high={of * 0.95}
        optimum={0}
        value={used}
      />
      <span className="number">{text}</span>
    </span>
  )
}
