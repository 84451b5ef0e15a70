/** A recording as it is drawn: one lane a party, and a slider over both that is the position. */
import { type ReactNode, useId, useMemo } from 'react'
import type { RecordingPeaks } from '../../api-types.ts'
import { useWords } from '../../words/language.ts'
import { callPageWords } from './words.ts'

/** A call in which nobody is louder is drawn as quiet as it is. */
const minLoudest = 48
const height = 100

type Props = {
  /** Undefined while they are not there: the lanes are empty then. */
  peaks: RecordingPeaks | undefined
  /** How much of the recording was played, 0 to 1. */
  share: number
  /** The slider. */
  children: ReactNode
}

export function Waveform({ peaks, share, children }: Props) {
  const words = useWords(callPageWords)
  const { extension = [], destination = [] } = peaks ?? {}
  const loudest = Math.max(minLoudest, ...extension, ...destination)
  return (
    <div className="waveform">
      <span className="small faint">{words.lanes.extension}</span>
      <Lane peaks={extension} loudest={loudest} share={share} />
      <span className="small faint">{words.lanes.destination}</span>
      <Lane peaks={destination} loudest={loudest} share={share} />
      {children}
    </div>
  )
}

function Lane({ peaks, loudest, share }: { peaks: number[]; loudest: number; share: number }) {
  const clip = useId()
  const shape = useMemo(() => outlineOf(peaks, loudest), [peaks, loudest])
  const width = Math.max(1, peaks.length - 1)
  return (
    <svg className="lane" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <clipPath id={clip}>
        <rect width={width * share} height={height} />
      </clipPath>
      <path d={shape} />
      <path className="played" d={shape} clipPath={`url(#${clip})`} />
    </svg>
  )
}

/** There along the upper edge and back along the lower one; silence is a thin line. */
function outlineOf(peaks: number[], loudest: number): string {
  const half = (peak: number) => Math.max(1, (peak / loudest) * (height / 2 - 4))
  const upper = peaks.map((peak, at) => `${at} ${(height / 2 - half(peak)).toFixed(1)}`)
  const lower = peaks.map((peak, at) => `${at} ${(height / 2 + half(peak)).toFixed(1)}`).reverse()
  return peaks.length === 0 ? '' : `M${[...upper, ...lower].join('L')}Z`
}
