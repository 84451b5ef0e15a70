/** Answers a call once its microphone is open, and closes that at its end: JsSIP closes only what it opened itself. */
import type { AnswerOptions, RTCSession } from 'jssip/lib/RTCSession'
import { closeMicrophone, openMicrophone } from '../sound/devices.ts'

export async function answerWithMicrophone(ringing: RTCSession, options: AnswerOptions) {
  const mediaStream = await openMicrophone()
  const close = () => closeMicrophone(mediaStream)
  if (ringing.isEnded()) return close()
  for (const event of ['ended', 'failed'] as const) ringing.on(event, close)
  ringing.answer({ ...options, mediaStream })
}
