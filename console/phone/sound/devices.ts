/** Microphone and loudspeaker: which ones are used, and how loud the microphone is. */
import type { MicrophoneProblem } from '../moves/phone.ts'

const microphoneKey = 'ramal.microphone'
const speakerKey = 'ramal.speaker'
const ringerKey = 'ramal.ringer'
const autoAnswerKey = 'ramal.auto-answer'

export const chosenMicrophone = () => localStorage.getItem(microphoneKey) ?? ''
export const chosenSpeaker = () => localStorage.getItem(speakerKey) ?? ''
/** Where a call rings, such as a loudspeaker beside the headset that is talked in. */
export const chosenRinger = () => localStorage.getItem(ringerKey) ?? ''
export const chooseRinger = (id: string) => localStorage.setItem(ringerKey, id)
/** Firefox cannot choose. */
export const canChooseRinger = () => 'setSinkId' in AudioContext.prototype
export const chooseMicrophone = (id: string) => localStorage.setItem(microphoneKey, id)
export const chooseSpeaker = (id: string) => localStorage.setItem(speakerKey, id)

/** Calls that a program places are answered without a click, if the person wants that. */
export const answersByItself = () => localStorage.getItem(autoAnswerKey) === 'yes'
export const setAnswersByItself = (yes: boolean) => localStorage.setItem(autoAnswerKey, yes ? 'yes' : 'no')

/** A device that was unplugged must not keep a call from being answered: `ideal`, not `exact`. */
export function audioConstraints(): MediaStreamConstraints {
  const id = chosenMicrophone()
  return { audio: id === '' ? true : { deviceId: { ideal: id } }, video: false }
}

export async function listDevices(): Promise<{
  microphones: MediaDeviceInfo[]
  speakers: MediaDeviceInfo[]
}> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  return {
    microphones: devices.filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== ''),
    speakers: devices.filter(({ kind, deviceId }) => kind === 'audiooutput' && deviceId !== ''),
  }
}

export function microphoneProblem(error: unknown): MicrophoneProblem {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  return name === 'NotFoundError' ? 'missing' : 'unusable'
}

export const openMicrophone = () => navigator.mediaDevices.getUserMedia(audioConstraints())

export function closeMicrophone(stream: MediaStream) {
  for (const track of stream.getTracks()) track.stop()
}

/** Browsers give the microphone to https and localhost only. */
export const canUseMicrophone = () => window.isSecureContext && 'mediaDevices' in navigator

/** Calls back with the level of the microphone, 0 to 1, until stopped. */
export async function measureMicrophone(onLevel: (level: number) => void): Promise<() => void> {
  const stream = await openMicrophone()
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 1024
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    onLevel(Math.min(1, loudest * 1.5))
  }, 60)
  return () => {
    clearInterval(timer)
    closeMicrophone(stream)
    void context.close()
  }
}
