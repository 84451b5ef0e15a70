/** Sends hostile messages to a running engine: it must neither end, nor fail inside, nor grow. */
import { createSeededRandom } from '../crash/seeded-random.ts'
import { startAttackedEngine } from './attacked-engine.ts'
import { createMessageWriter } from './messages.ts'
import { openTcpSender, openUdpSender, openWebSocketSender } from './peers.ts'

/** After so many messages the engine is asked whether it is well, which also keeps it from falling behind. */
const batch = 200
const maxGrowthMb = 50

type FuzzResult = {
  heapMb: { afterTenth: number; atEnd: number }
  rssMb: { afterTenth: number; atEnd: number }
  figures: Record<string, number>
  /** Empty if all went well. */
  problems: string[]
}

type Options = { messages: number; seed: number; onProgress?: (sent: number) => void }

export async function fuzzSip({ messages, seed, onProgress = () => {} }: Options): Promise<FuzzResult> {
  const random = createSeededRandom(seed)
  const write = createMessageWriter(random)
  const carrierPort = 30_000 + random.below(1_900)
  const engine = await startAttackedEngine('fuzz', carrierPort)
  const { ask, ended } = engine
  const stop: (() => void)[] = []
  try {
    const { udp = 0, tcp = 0, ws = 0 } = await ask('ports')
    const senders = [
      await openUdpSender(udp, '127.0.0.8'),
      await openUdpSender(udp, '127.0.0.9', carrierPort),
      openTcpSender(tcp, random),
      openWebSocketSender(ws, random),
    ]
    stop.push(...senders.map((sender) => sender.stop))
    let early = await ask('memory')
    for (let sent = 0; sent < messages; sent += 1) {
      const sender = random.pick(senders)
      await sender?.send(write(sender))
      if (sent % batch === 0) await Promise.race([ask('figures'), ended])
      if (sent === Math.floor(messages / 10)) early = await ask('memory')
      if (sent % 10_000 === 0) onProgress(sent)
    }
    const figures = await Promise.race([ask('figures'), ended])
    const late = await ask('memory')
    const failed = figures.sip_failed_total ?? 0
    return {
      heapMb: { afterTenth: early.heap, atEnd: late.heap },
      rssMb: { afterTenth: early.rss, atEnd: late.rss },
      figures,
      problems: [
        ...(failed > 0 ? [`${failed} messages failed inside`] : []),
        ...(engine.said().includes('could not be handled') ? [`errors were logged:\n${engine.said()}`] : []),
        ...(late.heap - early.heap > maxGrowthMb
          ? [`the heap grew from ${early.heap} to ${late.heap} MB`]
          : []),
        ...(late.rss - early.rss > maxGrowthMb ? [`memory grew from ${early.rss} to ${late.rss} MB`] : []),
      ],
    }
  } catch (error) {
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error })
  } finally {
    for (const end of stop) end()
    await engine.stop()
  }
}
