/**
 * Calls and answers once the microphone is open, and closes it at the end of the call. JsSIP would open it for a call that is
 * dialled, and leave it open if the person hangs up before the browser allows it.
 */
import type { AnswerOptions, RTCSession } from 'jssip/lib/RTCSession'
import { closeMicrophone, openMicrophone } from '../sound/devices.ts'

export async function answerWithMicrophone(ringing: RTCSession, options: AnswerOptions) {
  const mediaStream = await openMicrophone()
  if (ringing.isEnded()) return closeMicrophone(mediaStream)
  closeAtEnd(ringing, mediaStream)
  ringing.answer({ ...options, mediaStream })
}

/** `invite` returns undefined if there is no call after all. */
export async function callWithMicrophone(invite: (microphone: MediaStream) => RTCSession | undefined) {
  const microphone = await openMicrophone()
  const started = invite(microphone)
  if (started) closeAtEnd(started, microphone)
  else closeMicrophone(microphone)
}

function closeAtEnd(session: RTCSession, microphone: MediaStream) {
  for (const event of ['ended', 'failed'] as const) session.on(event, () => closeMicrophone(microphone))
}
