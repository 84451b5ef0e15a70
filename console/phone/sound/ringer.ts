/** The sound of a ringing phone, made by the browser, and the notification on the desktop. */
import { type CallChoice, type CallNotice, notifyOfCall } from './call-notification.ts'
import { chosenRinger } from './devices.ts'

let stopSound: (() => void) | undefined
let closeNotification: (() => void) | undefined

const hertz = 425
/** A second call is heard beside the one that is talked in. */
const ringing = { onSeconds: 1, loudness: 0.12 }
const knocking = { onSeconds: 0.25, loudness: 0.04 }
const periodMs = 4_000

export function startRinging(notice: CallNotice, onChoice: (choice: CallChoice) => void) {
  start(ringing, notice, onChoice)
}

export function startKnocking(notice: CallNotice, onChoice: (choice: CallChoice) => void) {
  start(knocking, notice, onChoice)
}

function start(sound: typeof ringing, notice: CallNotice, onChoice: (choice: CallChoice) => void) {
  stopRinging()
  stopSound = ringSound(sound)
  closeNotification = notifyOfCall(notice, onChoice)
}

export function stopRinging() {
  stopSound?.()
  stopSound = undefined
  closeNotification?.()
  closeNotification = undefined
}

type Sinkable = AudioContext & { setSinkId?: (id: string) => Promise<void> }

function ringSound({ onSeconds, loudness }: typeof ringing): () => void {
  const context: Sinkable = new AudioContext()
  const ringer = chosenRinger()
  // A device that was unplugged must not keep the phone from ringing.
  if (ringer !== '') context.setSinkId?.(ringer).catch(() => {})
  function ring() {
    const tone = context.createOscillator()
    const volume = context.createGain()
    const now = context.currentTime
    tone.frequency.value = hertz
    volume.gain.setValueAtTime(0, now)
    volume.gain.linearRampToValueAtTime(loudness, now + 0.05)
    volume.gain.setValueAtTime(loudness, now + onSeconds - 0.05)
    volume.gain.linearRampToValueAtTime(0, now + onSeconds)
    tone.connect(volume).connect(context.destination)
    tone.start(now)
    tone.stop(now + onSeconds)
  }
  ring()
  const timer = setInterval(ring, periodMs)
  return () => {
    clearInterval(timer)
    void context.close()
  }
}
