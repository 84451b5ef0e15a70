/** Skeletons that resemble figures and forms. */
import '../look/skeletons.css'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'

/** Figures beside each other. */
export function FigureSkeletons({ count }: { count: number }) {
  const words = useWords(commonWords)
  return (
    <div className="cards" role="status" aria-label={words.loading}>
      {Array.from({ length: count }, (_, figure) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the figures are all alike.
        <div key={figure} className="card figure">
          <span className="skeleton lines" />
        </div>
      ))}
    </div>
  )
}

/** Fields of a form, each with its name above. */
export function FieldSkeletons({ count }: { count: number }) {
  const words = useWords(commonWords)
  return (
    <div className="form" role="status" aria-label={words.loading}>
      <div className="pair">
        {Array.from({ length: count }, (_, field) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the fields are all alike.
          <span key={field} className="skeleton lines" />
        ))}
      </div>
    </div>
  )
}
