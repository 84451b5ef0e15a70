/**
 * Load at a fixed rate, whether or not the server keeps up. A request that finds no free connection
 * waits, and its wait counts: the time is taken from when it was due.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createTally } from '../tally.ts'
import { createAddresses } from './addresses.ts'
import { type Connection, openConnection } from './connection.ts'
import type { Job, Outcome } from './job.ts'

type Lane = { connection: Connection; dueAt: number }

const milliseconds = () => Number(process.hrtime.bigint()) / 1e6

export async function runFixedRate(job: Job, perSecond: number): Promise<Outcome> {
  const tally = createTally()
  const nextAddress = createAddresses(job.perAddress)
  const free: Lane[] = []
  const due: number[] = []
  const total = Math.round(job.seconds * perSecond)
  let turn = 0

  function sendDue() {
    while (due.length > 0 && free.length > 0) {
      const lane = free.pop()
      const request = job.requests[turn++ % job.requests.length]
      if (!lane || !request) return
      lane.dueAt = due.shift() ?? 0
      lane.connection.send(request.before + nextAddress() + request.after)
    }
  }

  const metronome = new Worker(new URL('../metronome.ts', import.meta.url))
  const lanes: Lane[] = []
  try {
    await once(metronome, 'online')
    return await new Promise<Outcome>((resolve, reject) => {
      let answered = 0
      async function add() {
        const onAnswer = (status: number) => {
          tally.add(status, milliseconds() - lane.dueAt)
          free.push(lane)
          answered += 1
          if (answered === total) resolve(tally.close(job.seconds))
          else sendDue()
        }
        const lane = { connection: await openConnection(job.port, { onAnswer, onFailure: reject }), dueAt: 0 }
        lanes.push(lane)
        free.push(lane)
      }
      metronome.on('error', reject)
      metronome.on('message', (dueAt: number) => {
        due.push(dueAt)
        sendDue()
      })
      Promise.all(Array.from({ length: job.connections }, add)).then(
        () => metronome.postMessage({ total, everyMs: 1000 / perSecond }),
        reject,
      )
    })
  } finally {
    for (const { connection } of lanes) connection.close()
    await metronome.terminate()
  }
}
