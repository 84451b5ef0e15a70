/** A real webhook receiver that records first deliveries, repeated deliveries, and those with a bad signature or a changed body. */
import { hash } from 'node:crypto'
import { isSigned, type Received, startReceiver } from '../../../test/helpers/programs/receiver.ts'

type Arrival = { hook: string; call: string; sequence: number; kind: string }

export async function startCheckingReceiver() {
  const first = new Map<string, string>()
  const arrivals: Arrival[] = []
  const faults: string[] = []
  const secrets = new Map<string, string>()
  /** Ids of repeated deliveries, one entry for each repetition. */
  const repeated: string[] = []
  let onHeld: (() => void) | undefined

  const receiver = await startReceiver((response, received) => {
    take(received)
    // A held delivery is never answered: its sender is about to be killed.
    if (onHeld) onHeld()
    else response.writeHead(204).end()
  })

  function take(received: Received) {
    // Only hashes are kept: the bodies of a long run do not fit in memory.
    receiver.received.length = 0
    const { headers, text, path, body } = received
    const id = headers['webhook-id'] ?? ''
    const secret = secrets.get(path)
    if (secret === undefined || !isSigned(received, secret)) faults.push(`${id} is not signed`)
    const sum = hash('sha1', text)
    const before = first.get(id)
    if (before === undefined) {
      first.set(id, sum)
      arrivals.push({ hook: path, call: body.id, sequence: body.sequence, kind: body.eventType })
    } else {
      repeated.push(id)
      if (before !== sum) faults.push(`${id} was repeated with another body`)
    }
  }

  return {
    url: (hook: string) => `http://127.0.0.1:${receiver.port}${hook}`,
    trust: (hook: string, secret: string) => secrets.set(hook, secret),
    /** Leaves deliveries unanswered from the next one on until `act` is done. False if none arrives within `ms`. */
    async hold(ms: number, act: () => Promise<boolean>): Promise<boolean> {
      const came = await new Promise<boolean>((resolve) => {
        const late = setTimeout(() => resolve(false), ms)
        onHeld = () => {
          clearTimeout(late)
          resolve(true)
        }
      })
      const done = came && (await act())
      onHeld = undefined
      return done
    },
    ids: () => first.keys(),
    has: (id: string) => first.has(id),
    arrivals,
    faults,
    repeated,
    stop: receiver.stop,
  }
}
export type CheckingReceiver = Awaited<ReturnType<typeof startCheckingReceiver>>
