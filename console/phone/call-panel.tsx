/** The call of this tab: who, how long, and what can be done. */
import { useEffect, useState } from 'react'
import { duration, telephone } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { useWords } from '../words/language.ts'
import { Keypad } from './keypad.tsx'
import { phone } from './phone.ts'
import type { PhoneCall } from './state.ts'
import { phoneWords } from './words.ts'

export function CallPanel({ call }: { call: PhoneCall }) {
  const words = useWords(phoneWords)
  const [isKeypadOpen, setIsKeypadOpen] = useState(false)
  const isRinging = call.state === 'ringing'
  return (
    <div className="call-panel">
      <div className="stack" style={{ gap: 0 }}>
        <strong className="number">{telephone(call.number)}</strong>
        <span className="faint small" role="status">
          {call.isHeld ? words.held : words.callStates[call.state]}
          {call.quality && call.state === 'talking' && ` · ${words.qualities[call.quality]}`}
        </span>
      </div>
      {call.answeredAt !== undefined && <Seconds since={call.answeredAt} />}
      <div className="row">
        {isRinging ? (
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
              isOn={isKeypadOpen}
              name={words.keypad}
              onClick={() => setIsKeypadOpen(!isKeypadOpen)}
            />
            <button type="button" className="button hang-up" onClick={() => phone()?.hangUp()}>
              <Icon name="hangup" />
              {words.hangUp}
            </button>
          </>
        )}
      </div>
      {isKeypadOpen && !isRinging && <Keypad onKey={(key) => phone()?.press(key)} />}
    </div>
  )
}

type ToggleProps = {
  icon: 'mute' | 'microphone' | 'hold' | 'keypad'
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
