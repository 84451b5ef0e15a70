/** The audio of one call of an endpoint: a socket, a sender and an analyser. It runs on the event loop, for a few calls. */
import type { Timer, Timers } from '../../../kit/timers.ts'
import { codecNamed } from '../../../media/codecs/registry.ts'
import { receives, sends } from '../../../media/relay/side.ts'
import { createPacer, packetMs } from '../../../media/rtp/pacer.ts'
import { createRtpHeader, maxPacketLength, readRtpHeader } from '../../../media/rtp/rtp.ts'
import { isSendable } from '../../../media/rtp/sendable-address.ts'
import type { Terms } from '../../../sip/sdp/terms.ts'
import type { AudioSource } from './audio-source.ts'
import { type AudioReport, createRtpAnalyser } from './rtp-analyser.ts'
import { createRtpSender } from './rtp-sender.ts'
import { closeSockets, openPair } from './rtp-sockets.ts'
import { openWavRecording } from './wav-recording.ts'

type Settings = {
  host: string
  timers: Timers
  /** A file for the received audio. */
  record?: string | undefined
  onDigit?(digit: string): void
}

/** Packets of another source are accepted only after this much silence. */
const sourceTimeoutMs = 1000

export async function openCallAudio({ host, timers, record, onDigit }: Settings) {
  const sockets = await openPair(host)
  const recording = await openRecording(record, timers.now).catch(async (error: unknown) => {
    await closeSockets(Object.values(sockets))
    throw error
  })
  const header = createRtpHeader()
  const analyser = createRtpAnalyser()
  const sender = createRtpSender((packet) => {
    if (terms) sockets.rtp.send(packet, terms.port, terms.address)
  })
  const pacer = createPacer(timers.now())
  let terms: Terms | undefined
  let source = { address: '', port: 0 }
  let receivedAt = Number.NEGATIVE_INFINITY
  let timer: Timer | undefined
  let closing: Promise<AudioReport> | undefined

  function tick() {
    timer = timers.after(packetMs, tick)
    pacer.sendDue(timers.now(), (index) => sender.tick(index, sendAs()))
  }

  function sendAs() {
    if (!terms || !receives(terms.direction) || !isSendable(terms.address, terms.port)) return undefined
    return {
      codec: codecNamed(terms.codec),
      payloadType: terms.payloadType,
      telephoneEvent: terms.telephoneEvent,
    }
  }

  /** Accepts packets from the address of the SDP, or else from one source at a time. */
  function isAccepted(from: { address: string; port: number }): boolean {
    const now = timers.now()
    const matchesSdp = from.port === terms?.port && from.address === terms.address
    if (matchesSdp || now - receivedAt > sourceTimeoutMs) source = { address: from.address, port: from.port }
    if (from.port !== source.port || from.address !== source.address) return false
    receivedAt = now
    return true
  }

  sockets.rtp.on('message', (packet, from) => {
    if (!terms || packet.length > maxPacketLength || !readRtpHeader(packet, header)) return
    const isAudio = header.payloadType === terms.payloadType
    if (!isAudio && header.payloadType !== terms.telephoneEvent) return
    if (!sends(terms.direction) || !isAccepted(from)) return
    if (isAudio) {
      const samples = analyser.analyse(packet, header, codecNamed(terms.codec))
      recording?.add(header, samples, codecNamed(terms.codec).clockRate)
      sender.receive(packet.subarray(header.payloadStart, header.payloadEnd))
    } else {
      const digit = analyser.analyseDigit(packet, header)
      if (digit !== undefined) onDigit?.(digit)
    }
  })

  async function finish(): Promise<AudioReport> {
    timer?.cancel()
    terms = undefined
    await closeSockets(Object.values(sockets))
    await recording?.close()
    return analyser.report()
  }

  tick()
  return {
    port: sockets.rtp.address().port,
    /** Applies the SDP of the other side: its address, its codec and its direction. */
    apply(next: Terms) {
      terms = next
    },
    play: (next: AudioSource) => sender.play(next),
    press: (digits: string) => sender.press(digits),
    heard: (): AudioReport => analyser.report(),
    /** Throws if the recording could not be written. */
    close: (): Promise<AudioReport> => (closing ??= finish()),
  }
}
export type CallAudio = Awaited<ReturnType<typeof openCallAudio>>

async function openRecording(path: string | undefined, now: () => number) {
  return path === undefined ? undefined : await openWavRecording(path, now)
}
