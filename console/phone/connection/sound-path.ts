/** Notices that the sound of a call finds no way between browser and service, as after a change of network. */

/** Short breaks heal by themselves. */
const graceMs = 3_000

type Listener = {
  /** No answer for some seconds. */
  onDoubt(): void
  onBroken(): void
}

export function watchSoundPath(connection: RTCPeerConnection, { onDoubt, onBroken }: Listener) {
  let timer: ReturnType<typeof setTimeout> | undefined
  connection.addEventListener('connectionstatechange', () => {
    clearTimeout(timer)
    if (connection.connectionState !== 'disconnected') return
    onDoubt()
    timer = setTimeout(() => {
      // JsSIP would hang up at `failed`, which comes later.
      connection.close()
      onBroken()
    }, graceMs)
  })
}
