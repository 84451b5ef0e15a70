/** Which microphone and loudspeaker, a test of the microphone, and how the phone behaves. */
import { useEffect, useRef, useState } from 'react'
import { Check, SelectField } from '../../parts/forms/field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.ts'
import type { MicrophoneProblem } from '../moves/phone.ts'
import { phoneWords } from '../words.ts'
import {
  answersByItself,
  canChooseRinger,
  chooseMicrophone,
  chooseRinger,
  chooseSpeaker,
  chosenMicrophone,
  chosenRinger,
  chosenSpeaker,
  listDevices,
  measureMicrophone,
  microphoneProblem,
  setAnswersByItself,
} from './devices.ts'

type Devices = Awaited<ReturnType<typeof listDevices>>

export function DeviceSettings() {
  const words = useWords(phoneWords)
  const [devices, setDevices] = useState<Devices>({ microphones: [], speakers: [] })
  const [level, setLevel] = useState<number>()
  const [problem, setProblem] = useState<MicrophoneProblem>()
  const stop = useRef<(() => void) | undefined>(undefined)

  useEffect(() => {
    const read = () => void listDevices().then(setDevices, () => {})
    read()
    navigator.mediaDevices.addEventListener('devicechange', read)
    return () => {
      navigator.mediaDevices.removeEventListener('devicechange', read)
      stop.current?.()
    }
  }, [])

  async function toggle() {
    if (stop.current) {
      stop.current()
      stop.current = undefined
      setLevel(undefined)
      return
    }
    try {
      setProblem(undefined)
      stop.current = await measureMicrophone(setLevel)
      // The names of devices are known only after the microphone was allowed.
      setDevices(await listDevices())
    } catch (reason) {
      setProblem(microphoneProblem(reason))
    }
  }

  const choices = (found: MediaDeviceInfo[]) => [
    { value: '', name: words.standard },
    ...found.map(({ deviceId, label }) => ({ value: deviceId, name: label || deviceId.slice(0, 8) })),
  ]
  return (
    <div className="form">
      <SelectField
        label={words.microphone}
        defaultValue={chosenMicrophone()}
        key={`microphone-${devices.microphones.length}`}
        choices={choices(devices.microphones)}
        onChange={(event) => chooseMicrophone(event.target.value)}
      />
      <SelectField
        label={words.speaker}
        defaultValue={chosenSpeaker()}
        key={`speaker-${devices.speakers.length}`}
        choices={choices(devices.speakers)}
        onChange={(event) => chooseSpeaker(event.target.value)}
      />
      {canChooseRinger() && (
        <SelectField
          label={words.ringer}
          defaultValue={chosenRinger()}
          key={`ringer-${devices.speakers.length}`}
          choices={choices(devices.speakers)}
          onChange={(event) => chooseRinger(event.target.value)}
        />
      )}
      <div className="stack" style={{ gap: '.4rem' }}>
        <button type="button" className="button" onClick={() => void toggle()}>
          {level === undefined ? words.test : words.stopTest}
        </button>
        <meter className="level" min={0} max={1} value={level ?? 0} aria-label={words.level} />
        <span className="faint small">{words.speak}</span>
        {problem && <Notice tone="bad">{words.microphoneProblems[problem]}</Notice>}
      </div>
      <Check
        label={words.auto}
        defaultChecked={answersByItself()}
        onChange={(event) => setAnswersByItself(event.target.checked)}
      />
      {'Notification' in window && (
        <Check
          label={words.notify}
          defaultChecked={Notification.permission === 'granted'}
          onChange={() => void Notification.requestPermission()}
        />
      )}
    </div>
  )
}
