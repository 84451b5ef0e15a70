/** The phone on every page, at the bottom right: small until it is needed. */
import '../look/phone.css'
import { useEffect, useState } from 'react'
import { browserOf } from '../parts/browser.ts'
import { Icon } from '../parts/icon.tsx'
import { dialledTelephone, telephone } from '../parts/telephone.ts'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { AfterCall } from './after-call.tsx'
import { Away } from './away.tsx'
import { CallPanel } from './call-panel.tsx'
import { Dialer } from './dialer.tsx'
import { FailedCall } from './failed-call.tsx'
import { DoNotDisturb, useDoNotDisturb } from './incoming/do-not-disturb.tsx'
import { MissedLink, useMissedCount } from './incoming/missed-count.tsx'
import { WaitingCall } from './incoming/waiting-call.tsx'
import { phone } from './phone.ts'
import { reasonWords } from './reason-words.ts'
import { NoMicrophone } from './sound/no-microphone.tsx'
import { phoneState, usePhone } from './state.ts'
import { useStartPhone } from './use-start.ts'
import { phoneWords } from './words.ts'

export default function Dock() {
  const words = useWords(phoneWords)
  const reasons = useWords(reasonWords)
  const { extension, isAvailable, hasOther, takeOver } = useStartPhone()
  const { registration, displacedBy, isElsewhere, call, parked, lastCause, failed, lostNumber } = usePhone()
  const { microphone, isOutOfReach, waiting, isUndisturbed } = usePhone()
  const [isOpen, setIsOpen] = useState(false)
  const isDisplaced = registration === 'displaced'
  useEffect(() => setIsOpen(isDisplaced), [isDisplaced])
  const missed = useMissedCount()
  useDoNotDisturb(extension?.id)
  useKeys()
  useLeaveWarning(call !== undefined)
  if (!extension || !isAvailable) return null
  const isOther = hasOther && registration === 'off'
  const displaced = isDisplaced ? words.displaced(deviceOf(displacedBy)) : undefined
  const away = displaced ?? (isElsewhere ? words.elsewhere : isOther ? words.otherPhone : undefined)
  const ringing = call?.state === 'ringing' ? words.incoming(telephone(call.number)) : ''
  const second = waiting && words.secondCall(telephone(waiting.number))
  const lost = lostNumber === undefined ? undefined : words.lost(dialledTelephone(lostNumber))
  return (
    <aside className="dock" aria-label={words.title}>
      <p className="visually-hidden" role="status">
        {waiting ? second : failed ? reasons[failed.reason] : call ? ringing : (lost ?? displaced)}
      </p>
      {microphone && <NoMicrophone problem={microphone} />}
      {failed && <FailedCall failed={failed} mayDial={!call && registration === 'ready'} />}
      <AfterCall />
      {waiting && <WaitingCall call={waiting} />}
      {call ? (
        <CallPanel call={call} parked={parked} />
      ) : lostNumber !== undefined ? (
        <Lost number={lostNumber} isReady={registration === 'ready'} />
      ) : (
        isOpen && (
          <div className="dock-panel">
            {isOutOfReach ? (
              <p>{words.outOfReach}</p>
            ) : away === undefined ? (
              <>
                <Dialer />
                <DoNotDisturb extensionId={extension.id} />
              </>
            ) : (
              <Away
                reason={away}
                action={isDisplaced ? words.takeBack : words.useHere}
                mayEndCall={isElsewhere}
                takeOver={takeOver}
              />
            )}
          </div>
        )
      )}
      <div className="row">
        <MissedLink count={missed} />
        <button
          type="button"
          className="dock-pill"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          title={isOpen ? words.minimise : words.open}
        >
          <Icon name="phone" />
          <span>{words.extension(extension.ramal)}</span>
          <span className={badgeOf(registration === 'ready', isUndisturbed)} data-phone={registration}>
            <span className="dot" />
            {microphone
              ? words.withoutMicrophone
              : lastCause !== undefined
                ? words.ended
                : isElsewhere || isOther
                  ? words.away
                  : isUndisturbed && registration === 'ready'
                    ? words.undisturbed
                    : words.states[registration]}
          </span>
        </button>
      </div>
    </aside>
  )
}

function badgeOf(isReady: boolean, isUndisturbed: boolean): string {
  if (!isReady) return 'badge'
  return isUndisturbed ? 'badge bad' : 'badge good'
}

/** Browsers and systems in few words; undefined if the device has no name. */
function deviceOf(userAgent: string | undefined): string | undefined {
  return userAgent === undefined || userAgent === 'unknown' ? undefined : browserOf(userAgent)
}

/** What remains of a call that could not be continued. */
function Lost({ number, isReady }: { number: string; isReady: boolean }) {
  const words = useWords(phoneWords)
  const common = useWords(commonWords)
  return (
    <div className="dock-panel stack">
      <p>{words.lost(dialledTelephone(number))}</p>
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={!isReady}
          onClick={() => phone()?.dial(number)}
        >
          {words.callAgain}
        </button>
        <button type="button" className="button" onClick={() => phone()?.closeMessage()}>
          {common.close}
        </button>
      </div>
    </div>
  )
}

/** In a call the browser asks before the page is left: a tab that is closed ends the call. */
function useLeaveWarning(isInCall: boolean) {
  useEffect(() => {
    if (!isInCall) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isInCall])
}

/**
 * Enter answers, also a second call, M mutes, digits are tones: not while something is typed or a dialog is open. No key hangs up (D612): Escape
 * closes things, and is pressed once too often.
 */
function useKeys() {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const { call, waiting } = phoneState()
      if (!call || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target as HTMLElement
      if (target.closest('input, textarea, select, .curtain')) return
      if (/^[\d*#]$/.test(event.key) && call.state === 'talking') return phone()?.press(event.key)
      if (target.closest('button, a')) return
      if (event.key === 'Enter' && waiting) phone()?.holdAndAnswer()
      else if (event.key === 'Enter' && call.state === 'ringing') phone()?.answer()
      else if (event.key.toLowerCase() === 'm' && call.state === 'talking') {
        if (call.isMuted) phone()?.unmute()
        else phone()?.mute()
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
