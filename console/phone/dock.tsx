/** The phone on every page, at the bottom right: small until it is needed. */
import '../look/phone.css'
import { useEffect, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { useWords } from '../words/language.ts'
import { CallPanel } from './call-panel.tsx'
import { Dialer } from './dialer.tsx'
import { phone } from './phone.ts'
import { phoneState, usePhone } from './state.ts'
import { useStartPhone } from './use-start.ts'
import { phoneWords } from './words.ts'

export default function Dock() {
  const words = useWords(phoneWords)
  const { extension, isAvailable, hasOther, takeOver } = useStartPhone()
  const { registration, isElsewhere, call, lastCause } = usePhone()
  const [isOpen, setIsOpen] = useState(false)
  useKeys()
  if (!extension || !isAvailable) return null
  const isAway = isElsewhere || (hasOther && registration === 'off')
  const reason = isElsewhere ? words.elsewhere : words.otherPhone
  return (
    <aside className="dock" aria-label={words.title}>
      {call ? (
        <CallPanel call={call} />
      ) : (
        isOpen && (
          <div className="dock-panel">
            {isAway ? (
              <div className="stack">
                <p>{reason}</p>
                <button type="button" className="button" onClick={takeOver}>
                  {words.useHere}
                </button>
              </div>
            ) : (
              <Dialer />
            )}
          </div>
        )
      )}
      <button
        type="button"
        className="dock-pill"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        title={isOpen ? words.minimise : words.open}
      >
        <Icon name="phone" />
        <span>{words.extension(extension.ramal)}</span>
        <span className={registration === 'ready' ? 'badge good' : 'badge'} data-phone={registration}>
          <span className="dot" />
          {lastCause !== undefined ? words.ended : isAway ? words.away : words.states[registration]}
        </span>
      </button>
    </aside>
  )
}

/** Enter answers, Escape hangs up, M mutes: not while something is typed or a dialog is open. */
function useKeys() {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const { call } = phoneState()
      if (!call || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target as HTMLElement
      if (target.closest('input, textarea, select, button, a, dialog')) return
      if (event.key === 'Enter' && call.state === 'ringing') phone()?.answer()
      else if (event.key === 'Escape') phone()?.hangUp()
      else if (event.key.toLowerCase() === 'm' && call.state === 'talking') {
        if (call.isMuted) phone()?.unmute()
        else phone()?.mute()
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
