/** A real receiver that remembers what came first, what came again, and whether anything was not as it must be. */
import { hash } from 'node:crypto'
import { isSigned, type Received, startReceiver } from '../../../test/helpers/receiver.ts'

type Heard = { hook: string; call: string; sequence: number; kind: string }

export async function startWitness() {
  const first = new Map<string, string>()
  const arrivals: Heard[] = []
  const faults: string[] = []
  const secrets = new Map<string, string>()
  /** Ids of what came more than once, as often as it did. */
  const again: string[] = []
  let caught: (() => void) | undefined

  const receiver = await startReceiver((response, received) => {
    take(received)
    // What is held is never answered: the senders will be dead.
    if (caught) caught()
    else response.writeHead(204).end()
  })

  function take(received: Received) {
    // Kept here alone: a long run brings more than may be remembered whole.
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
      again.push(id)
      if (before !== sum) faults.push(`${id} came again with another body`)
    }
  }

  return {
    url: (hook: string) => `http://127.0.0.1:${receiver.port}${hook}`,
    trust: (hook: string, secret: string) => secrets.set(hook, secret),
    /** From the next arrival on nothing is answered, until `act` is done. Says whether anything came within `ms`. */
    async hold(ms: number, act: () => Promise<boolean>): Promise<boolean> {
      const came = await new Promise<boolean>((resolve) => {
        const late = setTimeout(() => resolve(false), ms)
        caught = () => {
          clearTimeout(late)
          resolve(true)
        }
      })
      const done = came && (await act())
      caught = undefined
      return done
    },
    ids: () => first.keys(),
    has: (id: string) => first.has(id),
    arrivals,
    faults,
    again,
    stop: receiver.stop,
  }
}
export type Witness = Awaited<ReturnType<typeof startWitness>>
