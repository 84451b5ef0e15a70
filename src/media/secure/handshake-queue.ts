/**
 * D365: sound comes before handshakes. A step of a handshake takes about a millisecond (ECDSA, ECDH) on the thread that relays
 * the sound, so a turn of the event loop takes one step of all handshakes, and relays every packet that has come before the
 * next step: many browsers that connect at once delay each other, and not the calls that talk.
 */
export function createHandshakeQueue(schedule: (turn: () => void) => void = setImmediate) {
  const steps: (() => void)[] = []

  function takeStep() {
    const step = steps.shift()
    if (steps.length > 0) schedule(takeStep)
    step?.()
  }

  return {
    add(step: () => void) {
      steps.push(step)
      if (steps.length === 1) schedule(takeStep)
    },
  }
}
export type HandshakeQueue = ReturnType<typeof createHandshakeQueue>
