/** The loudspeaker of the phone: what each session receives, and the one that is listened to. */
import type { RTCSession } from 'jssip/lib/RTCSession'
import type { SessionId } from '../moves/phone.ts'
import { chosenSpeaker } from './devices.ts'

export function createSpeaker() {
  const audio = new Audio()
  audio.autoplay = true
  const received = new Map<SessionId, MediaStream>()
  let current: SessionId | undefined

  function play() {
    audio.srcObject = (current === undefined ? undefined : received.get(current)) ?? null
    const chosen = chosenSpeaker()
    if (chosen !== '' && 'setSinkId' in audio) audio.setSinkId(chosen).catch(() => {})
  }

  return {
    /** Takes what the session receives, now or later. */
    connect(session: SessionId, started: RTCSession) {
      const listen = (connection: RTCPeerConnection) =>
        connection.addEventListener('track', ({ track }) => {
          received.set(session, new MediaStream([track]))
          if (session === current) play()
        })
      if (started.connection) listen(started.connection)
      started.on('peerconnection', ({ peerconnection }) => listen(peerconnection))
      for (const event of ['ended', 'failed'] as const) started.on(event, () => received.delete(session))
    },
    /** Undefined is silence. */
    listenTo(session: SessionId | undefined) {
      current = session
      play()
    },
  }
}
export type Speaker = ReturnType<typeof createSpeaker>
