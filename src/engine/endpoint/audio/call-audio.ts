/** The sound of one call at our end: a socket, a mouth and an ear. It lives on the event loop, for few calls. */
import type { Timer, Timers } from '../../../kit/timers.ts'
import { receives, sends } from '../../media/relay/side.ts'
import { createPacer, packetMs } from '../../media/rtp/pacer.ts'
import { createRtpHeader, maxPacketLength, readRtpHeader } from '../../media/rtp/rtp.ts'
import { isSendable } from '../../media/rtp/sendable-address.ts'
import type { Terms } from '../../sip/sdp/terms.ts'
import type { Play } from './audio-source.ts'
import { createEar, type Heard } from './rtp-analyser.ts'
import { createMouth } from './rtp-sender.ts'
import { closeSockets, openPair } from './rtp-sockets.ts'
import { openWavRecording } from './wav-recording.ts'

type Settings = {
  host: string
  timers: Timers
  /** A file for what is heard. */
  record?: string | undefined
  onDigit?(digit: string): void
}

/** A packet from elsewhere is heard only after such a silence. */
const sourceKeptMs = 1000

export async function openVoice({ host, timers, record, onDigit }: Settings) {
  const sockets = await openPair(host)
  const recording = await openRecording(record, timers.now).catch(async (error: unknown) => {
    await closeSockets(Object.values(sockets))
    throw error
  })
  const header = createRtpHeader()
  const ear = createEar()
  const mouth = createMouth((packet) => {
    if (terms) sockets.rtp.send(packet, terms.port, terms.address)
  })
  const pacer = createPacer(timers.now())
  let terms: Terms | undefined
  let source = { address: '', port: 0 }
  let heardAt = Number.NEGATIVE_INFINITY
  let timer: Timer | undefined
  let closing: Promise<Heard> | undefined

  function tick() {
    timer = timers.after(packetMs, tick)
    pacer.sendDue(timers.now(), (index) => mouth.tick(index, spoken()))
  }

  function spoken() {
    if (!terms || !receives(terms.direction) || !isSendable(terms.address, terms.port)) return undefined
    return { law: terms.codec, payloadType: terms.payloadType, telephoneEvent: terms.telephoneEvent }
  }

  /** From where the description says, or, failing that, from one source at a time. */
  function isTheirs(from: { address: string; port: number }): boolean {
    const now = timers.now()
    const described = from.port === terms?.port && from.address === terms.address
    if (described || now - heardAt > sourceKeptMs) source = { address: from.address, port: from.port }
    if (from.port !== source.port || from.address !== source.address) return false
    heardAt = now
    return true
  }

  sockets.rtp.on('message', (packet, from) => {
    if (!terms || packet.length > maxPacketLength || !readRtpHeader(packet, header)) return
    const isSound = header.payloadType === terms.payloadType
    if (!isSound && header.payloadType !== terms.telephoneEvent) return
    if (!sends(terms.direction) || !isTheirs(from)) return
    if (isSound) {
      const samples = ear.hear(packet, header, terms.codec)
      recording?.take(header, samples)
      mouth.hear(packet.subarray(header.payloadStart, header.payloadEnd))
    } else {
      const digit = ear.hearKey(packet, header)
      if (digit !== undefined) onDigit?.(digit)
    }
  })

  async function finish(): Promise<Heard> {
    timer?.cancel()
    terms = undefined
    await closeSockets(Object.values(sockets))
    await recording?.close()
    return ear.report()
  }

  tick()
  return {
    port: sockets.rtp.address().port,
    /** What the other side described: where it listens, what it speaks, who may. */
    follow(described: Terms) {
      terms = described
    },
    play: (next: Play) => mouth.play(next),
    press: (wanted: string) => mouth.press(wanted),
    heard: (): Heard => ear.report(),
    /** With all that was heard. Throws if it could not be recorded. */
    close: (): Promise<Heard> => (closing ??= finish()),
  }
}
export type Voice = Awaited<ReturnType<typeof openVoice>>

async function openRecording(path: string | undefined, now: () => number) {
  return path === undefined ? undefined : await openWavRecording(path, now)
}
