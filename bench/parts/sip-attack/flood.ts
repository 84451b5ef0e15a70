/**
 * A flood of connections and datagrams while two phones talk and a third one registers, each from an address of its own.
 * Phones retransmit, as phones do: the kernel may drop a datagram when its buffer is full.
 */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { audioPortIn, openRawPhone, sdpOf } from '../../../test/security/sip/raw-phone.ts'
import { openRtp } from '../../../test/security/sip/raw-rtp.ts'
import { askChild } from '../ask.ts'
import { startNode, stopChild } from '../children.ts'
import { startAttackedEngine } from './attacked-engine.ts'
import type { FlooderWork } from './flooder-process.ts'

const program = fileURLToPath(new URL('./flooder-process.ts', import.meta.url))
const domain = 'bench.test'
const password = 'secret'

export type FloodLoad = { connections: number; datagramsPerSecond: number; seconds: number }

export async function floodSip({ connections, datagramsPerSecond, seconds }: FloodLoad) {
  const cleanUps: (() => unknown)[] = []
  const scope = { onTestFinished: (run: () => unknown) => void cleanUps.push(run) }
  try {
    const engine = await startAttackedEngine('flood', 31_999)
    cleanUps.push(engine.stop)
    const { udp: port = 0 } = await engine.ask('ports')
    const openPhone = async (number: string, address: string) => {
      const phone = await openRawPhone(port, { number, address, password, domain })
      cleanUps.push(phone.stop)
      return phone
    }
    const caller = await openPhone('1000', '127.0.0.51')
    const callee = await openPhone('1001', '127.0.0.52')
    const audio = { caller: await openRtp(scope, '127.0.0.51'), callee: await openRtp(scope, '127.0.0.52') }
    for (const phone of [caller, callee]) await registerPatiently(phone)
    const answering = callee.answer(sdpOf('127.0.0.52', audio.callee.port))
    const dialled = await caller.dial('1001', { sdp: sdpOf('127.0.0.51', audio.caller.port) })
    const ports = { caller: audioPortIn(dialled.response), callee: audioPortIn(await answering) }
    const talking = setInterval(() => {
      audio.caller.speak(ports.caller)
      audio.callee.speak(ports.callee)
    }, 20)
    cleanUps.push(() => clearInterval(talking))

    const flooder = startNode({
      args: [program],
      place: 'anywhere',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    cleanUps.push(() => stopChild(flooder))
    await once(flooder, 'message')
    const ask = askChild<FlooderWork>(flooder)
    const opened = await ask('openConnections', { port, count: connections })
    const before = { heard: audio.callee.received(), at: performance.now() }
    const flood = ask('sendDatagrams', { port, perSecond: datagramsPerSecond, seconds })
    const newcomer = await openPhone('1002', '127.0.0.53')
    const started = performance.now()
    await registerPatiently(newcomer)
    const registeredAfterMs = performance.now() - started
    const sent = await flood
    const lasted = (performance.now() - before.at) / 1000
    const figures = await engine.ask('figures')
    return {
      opened,
      sentPerSecond: sent / lasted,
      registeredAfterMs,
      /** Packets of sound that one phone heard of the other, of 50 a second. */
      soundPerSecond: (audio.callee.received() - before.heard) / lasted,
      liveCalls: await engine.ask('liveCalls'),
      figures,
    }
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  }
}

/** Tries again when a datagram was lost. */
async function registerPatiently(phone: Awaited<ReturnType<typeof openRawPhone>>) {
  for (let tries = 0; ; tries += 1) {
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 2_000))
    const answer = await Promise.race([phone.register().catch(() => undefined), late])
    if (answer?.startsWith('SIP/2.0 200')) return
    if (tries >= 15) throw new Error(`a phone could not register: ${answer?.slice(0, 100)}`)
  }
}
