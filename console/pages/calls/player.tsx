/** Plays a recording: the extension above, the other side below, drawn from peaks that the service computes. */
import '../../look/call.css'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { request } from '../../api.ts'
import { duration } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { Waveform } from './waveform.tsx'
import { callPageWords } from './words.ts'

const speeds = [0.75, 1, 1.25, 1.5, 2]
/** How far each key moves the position, in seconds. */
const steps: Record<string, number> = {
  ArrowLeft: -5,
  ArrowDown: -5,
  ArrowRight: 5,
  ArrowUp: 5,
  PageDown: -30,
  PageUp: 30,
}

export function Player({ id, seconds }: { id: string; seconds: number }) {
  const words = useWords(callPageWords)
  const common = useWords(commonWords)
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setIsPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [total, setTotal] = useState(seconds)
  const peaks = useQuery({
    queryKey: ['peaks', id],
    queryFn: () => request('GET', '/calls/{id}/recording/peaks', { path: { id } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const source = `/api/v1/calls/${id}/recording`

  function seek(to: number) {
    const next = Math.min(Math.max(0, to), total)
    if (audio.current) audio.current.currentTime = next
    setAt(next)
  }

  function toggle() {
    if (isPlaying) audio.current?.pause()
    else void audio.current?.play()
  }

  function onKey(event: KeyboardEvent) {
    const step = steps[event.key]
    if (step === undefined && event.key !== ' ') return
    event.preventDefault()
    if (step === undefined) toggle()
    else seek(at + step)
  }

  return (
    <div className="stack" style={{ gap: '.75rem' }}>
      {/* biome-ignore lint/a11y/useMediaCaption: a telephone call has no captions. */}
      <audio
        ref={audio}
        src={source}
        preload="metadata"
        onPlay={() => setIsPlaying(true)}
        onPause={() => setIsPlaying(false)}
        onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
        onLoadedMetadata={(event) => setTotal(event.currentTarget.duration)}
      />
      <Waveform peaks={peaks.data} share={total > 0 ? at / total : 0}>
        <input
          type="range"
          className="position"
          aria-label={words.position}
          aria-valuetext={`${duration(at)} / ${duration(total)}`}
          min={0}
          max={Math.max(total, 0.1)}
          step="any"
          value={at}
          onChange={(event) => seek(Number(event.target.value))}
          onKeyDown={onKey}
        />
      </Waveform>
      {peaks.error && <p className="faint small">{words.noPeaks}</p>}
      <div className="row between">
        <div className="row">
          <button type="button" className="button primary" onClick={toggle}>
            <Icon name={isPlaying ? 'pause' : 'play'} />
            {isPlaying ? words.pause : words.play}
          </button>
          <span className="number faint">
            {duration(at)} / {duration(total)}
          </span>
        </div>
        <div className="row">
          <Speed onChange={(speed) => audio.current && setSpeed(audio.current, speed)} />
          <a className="button" href={source} download={`${id}.wav`}>
            <Icon name="download" />
            {common.download}
          </a>
        </div>
      </div>
      <p className="faint small hide-narrow">{words.playerKeys}</p>
    </div>
  )
}

function setSpeed(audio: HTMLAudioElement, speed: number) {
  audio.playbackRate = speed
}

function Speed({ onChange }: { onChange: (speed: number) => void }) {
  const words = useWords(callPageWords)
  return (
    <label className="row">
      <span className="faint small">{words.speed}</span>
      <select
        className="input"
        style={{ width: 'auto' }}
        defaultValue={1}
        onChange={(event) => onChange(Number(event.target.value))}
      >
        {speeds.map((speed) => (
          <option key={speed} value={speed}>
            {speed}×
          </option>
        ))}
      </select>
    </label>
  )
}
