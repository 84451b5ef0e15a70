/** The measured process: the media of recorded calls, as the engine runs it. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createLog } from '../../../src/kit/process/log.ts'
import type { Fingerprint } from '../../../src/media/dtls/certificate.ts'
import { createIceCredentials, type IceCredentials } from '../../../src/media/ice/ice-lite.ts'
import { createMedia } from '../../../src/media/media.ts'
import { masterKeyLength, masterSaltLength } from '../../../src/media/srtp/session-keys.ts'
import { answerParent } from '../ask.ts'
import { collectGarbage } from '../garbage.ts'
import { memoryOf } from '../process-figures.ts'

const [folder = '', kind] = process.argv.slice(2)
const host = '127.0.0.1'
const media = createMedia({
  ports: { from: 20_000, to: 25_999 },
  host,
  sockets: kind === 'epoll' ? 'epoll' : 'dgram',
  log: createLog('warn', { format: 'json', destination: process.stderr }),
})
media.start()
const payloads = [{ number: 8, codec: 'PCMA' as const }]
const newKey = () => randomBytes(masterKeyLength + masterSaltLength).toString('base64')
let calls = 0
let open: string[] = []

/** The phone of each call: a browser, a phone with SRTP whose keys stand in the SDP, or one without. */
export type Kind = 'webrtc' | 'srtp' | 'plain'

export type CallPorts = {
  extension: number
  other: number
  /** In calls with a browser. */
  ice?: IceCredentials
  /** SRTP keys in base64: the media's and the phone's. */
  keys?: { ours: string; theirs: string }
}
type Wanted = {
  kind: Kind
  /** Where each side sends from. */
  ports: { extension: number; other: number }[]
  fingerprint: Fingerprint
  ufrag: string
}

const work = {
  /** Opens a recorded call for each pair of ports. */
  async open({ kind, ports, fingerprint, ufrag }: Wanted): Promise<CallPorts[]> {
    const opened: CallPorts[] = []
    for (const from of ports) {
      const id = `bench-${++calls}`
      const ice = createIceCredentials()
      const own = await media.open(id)
      const keys = { ours: newKey(), theirs: newKey() }
      const dtls = { kind: 'dtls' as const, fingerprint, ice: { local: ice, remoteUfrag: ufrag } }
      const securities = { plain: undefined, srtp: { kind: 'sdes' as const, ...keys }, webrtc: dtls }
      const security = securities[kind]
      const description = { address: host, payloads, isRtcpMuxed: kind === 'webrtc' }
      await media.expect(id, 'extension', {
        ...description,
        port: from.extension,
        ...(security && { security }),
      })
      await media.expect(id, 'other', { address: host, port: from.other, payloads })
      await media.startRecording(id, join(folder, `${id}.wav`))
      open.push(id)
      opened.push({ ...own.ports, ...(kind === 'webrtc' && { ice }), ...(kind === 'srtp' && { keys }) })
    }
    return opened
  },
  /** Seconds recorded of each call. */
  async closeAll(): Promise<number[]> {
    const ended = await Promise.all(open.map((id) => media.close(id)))
    open = []
    return ended.map(({ recording }) => recording?.seconds ?? 0)
  },
  /** In MB, after a garbage collection. */
  async memory(): Promise<number> {
    await collectGarbage()
    return memoryOf(process.pid).rss
  },
}
export type MediaWork = typeof work

answerParent(work)
process.send?.('ready')
