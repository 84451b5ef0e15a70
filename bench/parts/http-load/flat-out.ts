/** Load without pause: every connection sends again as soon as it was answered. */

import { createTally } from '../tally.ts'
import { createAddresses } from './addresses.ts'
import { type Connection, openConnection } from './connection.ts'
import type { Job, Outcome } from './job.ts'

export async function runFlatOut(job: Job): Promise<Outcome> {
  const tally = createTally()
  const nextAddress = createAddresses(job.perAddress)
  let turn = 0

  function nextRequest(): string {
    const request = job.requests[turn++ % job.requests.length]
    return request ? request.before + nextAddress() + request.after : ''
  }

  const connections: Connection[] = []
  try {
    return await new Promise<Outcome>((resolve, reject) => {
      let open = job.connections
      let began = 0

      async function add() {
        let sentAt = 0
        const onAnswer = (status: number) => {
          const now = performance.now()
          tally.add(status, now - sentAt)
          if (now - began >= job.seconds * 1000) {
            open -= 1
            if (open === 0) resolve(tally.close((now - began) / 1000))
            return
          }
          sentAt = now
          connection.send(nextRequest())
        }
        const connection = await openConnection(job.port, { onAnswer, onFailure: reject })
        connections.push(connection)
        return () => {
          sentAt = performance.now()
          connection.send(nextRequest())
        }
      }

      Promise.all(Array.from({ length: job.connections }, add)).then((starts) => {
        began = performance.now()
        for (const start of starts) start()
      }, reject)
    })
  } finally {
    for (const connection of connections) connection.close()
  }
}
