/** Requests to a service that may be busy: 503 asks to try again. */
import { setTimeout as sleep } from 'node:timers/promises'

const pauseMs = 1_000
const timeoutMs = 60_000

/** Sends the request again while it is answered 503. */
export async function patiently<T extends { status: number }>(send: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const answer = await send()
    if (answer.status !== 503 || performance.now() > deadline) return answer
    await sleep(pauseMs)
  }
}
