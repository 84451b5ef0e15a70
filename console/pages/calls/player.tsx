/** Plays a recording: the extension above, the other side below, drawn from peaks that the service computes. */
import { useRef, useState } from 'react'
import { duration } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { callPageWords } from './words.ts'

const speeds = [1, 1.25, 1.5, 2]

export function Player({ id, seconds }: { id: string; seconds: number }) {
  const words = useWords(callPageWords)
  const common = useWords(commonWords)
  const audio = useRef<HTMLAudioElement>(null)
  const [isPlaying, setIsPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [total, setTotal] = useState(seconds)
  const source = `/api/v1/calls/${id}/recording`

  function seek(to: number) {
    if (audio.current) audio.current.currentTime = to
    setAt(to)
  }

  function toggle() {
    if (isPlaying) audio.current?.pause()
    else void audio.current?.play()
  }

  return (
    <div className="player stack" style={{ gap: '.6rem' }}>
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
      <input
        type="range"
        aria-label={words.position}
        aria-valuetext={`${duration(at)} / ${duration(total)}`}
        min={0}
        max={Math.max(total, 0.1)}
        step={0.1}
        value={at}
        onChange={(event) => seek(Number(event.target.value))}
      />
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
          <label className="row">
            <span className="faint small">{words.speed}</span>
            <select
              className="input"
              style={{ width: 'auto' }}
              defaultValue={1}
              onChange={(event) => {
                if (audio.current) audio.current.playbackRate = Number(event.target.value)
              }}
            >
              {speeds.map((speed) => (
                <option key={speed} value={speed}>
                  {speed}×
                </option>
              ))}
            </select>
          </label>
          <a className="button" href={source} download={`${id}.wav`}>
            <Icon name="download" />
            {common.download}
          </a>
        </div>
      </div>
    </div>
  )
}
