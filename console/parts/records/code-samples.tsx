/** The same code in several languages, one at a time. */
import { useState } from 'react'
import { Code } from '../copy.tsx'

export function CodeSamples({ samples }: { samples: Record<string, string> }) {
  const [chosen, setChosen] = useState<string>()
  const [first = ''] = Object.keys(samples)
  const language = chosen ?? first
  return (
    <div className="stack">
      <div className="chips">
        {Object.keys(samples).map((one) => (
          <button
            key={one}
            type="button"
            className="chip"
            aria-pressed={one === language}
            onClick={() => setChosen(one)}
          >
            {one}
          </button>
        ))}
      </div>
      <Code text={samples[language] ?? ''} />
    </div>
  )
}
