/** The call of this tab: who, how long, and what can be done. */
import { useEffect, useRef, useState } from 'react'
import { duration } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { dialledTelephone, telephone } from '../parts/telephone.ts'
import { toastError } from '../parts/toasts.tsx'
import { useWords } from '../words/language.ts'
import { leaveField } from './dial-focus.ts'
import { Colleague } from './incoming/colleague.tsx'
import { Keypad } from './keypad.tsx'
import { KnownContact } from './known-contact.tsx'
import type { PhoneCall } from './moves/phone.ts'
import { phone } from './phone.ts'
import { Transfer } from './transfer.tsx'
import { phoneWords } from './words.ts'

const shownNumber = ({ direction, number }: PhoneCall) =>
  direction === 'out' ? dialledTelephone(number) : telephone(number)

type Drawer = 'keypad' | 'transfer'

export function CallPanel({ call, parked }: { call: PhoneCall; parked: PhoneCall | undefined }) {
  const words = useWords(phoneWords)
  const [drawer, setDrawer] = useState<Drawer>()
  const toggle = (one: Drawer) => setDrawer(drawer === one ? undefined : one)
  const mayTransfer = call.state === 'talking' && call.id !== undefined && !parked
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => leaveField(panel.current), [])
  return (
    <div className="call-panel" ref={panel} tabIndex={-1}>
      <div className="stack" style={{ gap: 0 }}>
        {/* Announced when a transfer changes it. */}
        <strong className="number" aria-live="polite">
          {shownNumber(call)}
        </strong>
        <Colleague call={call} />
        <span className="faint small" role="status" data-call={call.state}>
          {call.isHeld ? words.held : words.callStates[call.state]}
          {call.quality && call.state === 'talking' && !call.isHeld && ` · ${words.qualities[call.quality]}`}
        </span>
        <span className="bad small" role="status">
          {call.isMuted && call.state === 'talking' ? words.muted : ''}
        </span>
      </div>
      {call.answeredAt !== undefined && <Seconds since={call.answeredAt} />}
      <KnownContact number={call.number} callId={call.id} />
      {parked && <Parked parked={parked} isReady={call.state === 'talking'} />}
      <div className="row">
        {call.state === 'ringing' ? (
          <>
            <button type="button" className="button primary" onClick={() => phone()?.answer()}>
              <Icon name="calls" />
              {words.answer}
            </button>
            <button type="button" className="button danger" onClick={() => phone()?.hangUp()}>
              {words.decline}
            </button>
          </>
        ) : (
          <>
            {call.state !== 'returning' && (
              <>
                <Toggle
                  icon={call.isMuted ? 'mute' : 'microphone'}
                  isOn={call.isMuted}
                  name={call.isMuted ? words.unmute : words.mute}
                  onClick={() => (call.isMuted ? phone()?.unmute() : phone()?.mute())}
                />
                <Toggle
                  icon="hold"
                  isOn={call.isHeld}
                  name={call.isHeld ? words.resume : words.hold}
                  onClick={() => (call.isHeld ? phone()?.resume() : phone()?.hold())}
                />
                <Toggle
                  icon="keypad"
                  isOn={drawer === 'keypad'}
                  name={words.keypad}
                  onClick={() => toggle('keypad')}
                />
              </>
            )}
            {mayTransfer && (
              <Toggle
                icon="inside"
                isOn={drawer === 'transfer'}
                name={words.transfer}
                onClick={() => toggle('transfer')}
              />
            )}
            <button type="button" className="button hang-up" onClick={() => phone()?.hangUp()}>
              <Icon name="hangup" />
              {words.hangUp}
            </button>
          </>
        )}
      </div>
      {drawer === 'keypad' && call.state !== 'ringing' && <Keypad onKey={(key) => phone()?.press(key)} />}
      {drawer === 'transfer' && mayTransfer && (
        <Transfer callId={call.id ?? ''} onClose={() => setDrawer(undefined)} />
      )}
    </div>
  )
}

/** The call on hold: it is connected with the one in front, or changes places with it. */
function Parked({ parked, isReady }: { parked: PhoneCall; isReady: boolean }) {
  const words = useWords(phoneWords)
  return (
    <div className="row between parked">
      <span className="small">{words.waiting(shownNumber(parked))}</span>
      <button
        type="button"
        className="button"
        disabled={!isReady}
        onClick={() => phone()?.connectParked(() => toastError(words.notConnected))}
      >
        {words.connect}
      </button>
      <button type="button" className="button" disabled={!isReady} onClick={() => phone()?.swap()}>
        {words.swap}
      </button>
    </div>
  )
}

type ToggleProps = {
  icon: 'mute' | 'microphone' | 'hold' | 'keypad' | 'inside'
  isOn: boolean
  name: string
  onClick: () => void
}

function Toggle({ icon, isOn, name, onClick }: ToggleProps) {
  return (
    <button
      type="button"
      className={isOn ? 'button icon-only on' : 'button icon-only'}
      aria-pressed={isOn}
      aria-label={name}
      title={name}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}

/** How long ago something was, counted every second. */
function Seconds({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <span className="number talking-for">{duration((now - since) / 1_000)}</span>
}
