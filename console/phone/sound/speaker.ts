/** The loudspeaker of the phone: what each session receives, and the one that is listened to. */
import type { RTCSession } from 'jssip/lib/RTCSession'
import { chosenSpeaker } from './devices.ts'

export function createSpeaker() {
  const audio = new Audio()
  audio.autoplay = true
  const received = new WeakMap<RTCSession, MediaStream>()
  let current: RTCSession | undefined

  function play() {
    audio.srcObject = (current && received.get(current)) ?? null
    const chosen = chosenSpeaker()
    if (chosen !== '' && 'setSinkId' in audio) audio.setSinkId(chosen).catch(() => {})
  }

  return {
    /** Takes what the session receives, now or later. */
    connect(session: RTCSession) {
      const listen = (connection: RTCPeerConnection) =>
        connection.addEventListener('track', ({ track }) => {
          received.set(session, new MediaStream([track]))
          if (session === current) play()
        })
      if (session.connection) listen(session.connection)
      session.on('peerconnection', ({ peerconnection }) => listen(peerconnection))
    },
    /** Undefined is silence. */
    listenTo(session: RTCSession | undefined) {
      current = session
      play()
    },
  }
}
export type Speaker = ReturnType<typeof createSpeaker>
