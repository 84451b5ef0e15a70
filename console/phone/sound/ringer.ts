/** The sound of a ringing phone, made by the browser, and the notification on the desktop. */
let stopSound: (() => void) | undefined
let notification: Notification | undefined

const hertz = 425
const onSeconds = 1
const periodMs = 4_000

export function startRinging(text: string, onClick: () => void) {
  stopRinging()
  stopSound = ringSound()
  if (document.hidden && 'Notification' in window && Notification.permission === 'granted') {
    notification = new Notification(text, { icon: '/console/icon.svg', tag: 'ramal-call' })
    notification.addEventListener('click', () => {
      window.focus()
      onClick()
    })
  }
}

export function stopRinging() {
  stopSound?.()
  stopSound = undefined
  notification?.close()
  notification = undefined
}

function ringSound(): () => void {
  const context = new AudioContext()
  function ring() {
    const tone = context.createOscillator()
    const volume = context.createGain()
    const now = context.currentTime
    tone.frequency.value = hertz
    volume.gain.setValueAtTime(0, now)
    volume.gain.linearRampToValueAtTime(0.12, now + 0.05)
    volume.gain.setValueAtTime(0.12, now + onSeconds - 0.05)
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
