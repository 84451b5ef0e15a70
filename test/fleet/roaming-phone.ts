/** A phone on UDP that knows several servers, as one that follows SRV records. */
import { toneSource } from '../../src/engine/endpoint/audio/audio-source.ts'
import { createSoftphone, type Softphone } from '../../src/engine/endpoint/softphone/softphone.ts'
import { createLog } from '../../src/kit/process/log.ts'
import { systemTimers } from '../../src/kit/timers.ts'
import { domain, senha } from './office.ts'

type Server = { address: string; port: number }

/**
 * It registers at the next server when one refuses or does not answer, and no more at that one. Its calls stay where they are.
 */
export function startRoamingPhone(number: string, servers: Server[], first: number) {
  let index = first
  let isStopped = false
  const stops = new Set<() => Promise<void>>()
  const { promise: registered, resolve: onRegistered } = Promise.withResolvers<void>()

  /** `leave`: of the phones at the servers before. */
  function connect(leave: () => void) {
    const server = servers[index % servers.length]
    if (!server || isStopped) return
    let calls = 0
    let isRefused = false
    let isElsewhere = false
    const stop = async () => void (stops.delete(stop) && (await (await phone).stop()))
    const leaveWhenIdle = () => void (isElsewhere && calls === 0 && stop())
    stops.add(stop)
    const phone: Promise<Softphone> = createSoftphone({
      extension: number,
      password: senha,
      domain,
      transport: 'udp',
      answer: 'auto',
      server,
      registerSeconds: 60,
      retries: false,
      play: () => toneSource(440),
      timers: impatient,
      log: createLog('silent'),
      onEvent({ type }) {
        if (type === 'registered') {
          onRegistered()
          leave()
        }
        if (type === 'incoming') calls += 1
        if (type === 'ended') calls -= 1
        leaveWhenIdle()
        if (type !== 'registrationFailed' || isRefused) return
        isRefused = true
        index += 1
        connect(() => {
          isElsewhere = true
          leaveWhenIdle()
          leave()
        })
      },
    })
  }
  connect(() => {})
  return {
    registered,
    server: () => index % servers.length,
    async stop() {
      isStopped = true
      await Promise.all([...stops].map((stop) => stop()))
    },
  }
}

/** Registrations of a minute are refreshed after five seconds. */
const impatient = {
  now: systemTimers.now,
  after: (ms: number, run: () => void) => systemTimers.after(ms > 20_000 ? ms / 6 : ms, run),
}
