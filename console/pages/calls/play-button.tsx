/** Plays the recording of a call in the list; one at a time. */
import { useEffect, useRef, useState } from 'react'
import { RowButton } from '../../parts/row-actions.tsx'
import { toastError } from '../../parts/toasts.tsx'
import { useWords } from '../../words/language.ts'
import { callPageWords } from './words.ts'

/** The sound that plays now. */
let playing: HTMLAudioElement | undefined

export function PlayButton({ id, name }: { id: string; name: string }) {
  const words = useWords(callPageWords)
  const audio = useRef<HTMLAudioElement>(undefined)
  const [isPlaying, setIsPlaying] = useState(false)
  // A row that leaves the list is not heard any more.
  useEffect(() => () => audio.current?.pause(), [])

  function toggle() {
    if (isPlaying) return audio.current?.pause()
    playing?.pause()
    const sound = audio.current ?? open()
    playing = sound
    sound.play().catch((error: unknown) => {
      // Paused before it began.
      if (error instanceof DOMException && error.name === 'AbortError') return
      toastError(words.notPlayed)
    })
  }

  function open(): HTMLAudioElement {
    const sound = new Audio(`/api/v1/calls/${id}/recording`)
    sound.addEventListener('play', () => setIsPlaying(true))
    for (const end of ['pause', 'ended', 'error']) sound.addEventListener(end, () => setIsPlaying(false))
    audio.current = sound
    return sound
  }

  return (
    <RowButton
      icon={isPlaying ? 'pause' : 'play'}
      name={isPlaying ? words.pauseOf(name) : words.playOf(name)}
      onClick={toggle}
    />
  )
}
