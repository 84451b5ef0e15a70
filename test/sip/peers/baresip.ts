/** baresip, a softphone: no audio hardware, a WAV for a mouth, a WAV for an ear, orders over its control socket. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJournal } from './journal.ts'
import { freeNeighbours } from './ports.ts'
import { startProgram } from './program.ts'
import { readChannel, writeToneWav } from './tones.ts'

type Options = {
  /** host:port of the registrar; without, it calls addresses as they are. */
  server?: string
  domain: string
  extension: string
  /** Without spaces or semicolons: its account format cannot quote them. */
  password?: string
  /** Its own address. */
  address?: string
  transport?: 'udp' | 'tcp' | 'tls'
  /** SDES or DTLS, without which it does not talk. */
  encryption?: 'srtp-mand' | 'dtls_srtp'
  answer?: 'auto' | 'manual'
  /** The tone it says; it says it for a minute. */
  hertz?: number
  /** In seconds; 0: it does not register. */
  expires?: number
  codecs?: string[]
}

/** An event, or the answer to an order. */
type Line = {
  type?: string
  param?: string
  peeruri?: string
  direction?: string
  response?: boolean
  ok?: boolean
  data?: string
  token?: string
}

const modules = [
  'srtp.so',
  'g711.so',
  'g722.so',
  'opus.so',
  'aufile.so',
  'aubridge.so',
  'sndfile.so',
  'ctrl_tcp.so',
]
/** Makes an RSA key when it is loaded, which takes more time than all else that baresip does. */
const dtlsModule = 'dtls_srtp.so'
const applications = ['account.so', 'menu.so']

export async function startBaresip(options: Options) {
  const { server, domain, extension, password = 'none', transport = 'udp', answer = 'manual' } = options
  const { address = '127.0.0.1' } = options
  const folder = await mkdtemp(join(tmpdir(), 'ramal-baresip-'))
  // It listens on the port after its own as well, for TLS.
  const sip = await freeNeighbours(3)
  const control = sip + 2
  await writeToneWav(join(folder, 'mouth.wav'), options.hertz ?? 440, 60)
  await writeFile(
    join(folder, 'config'),
    writeConfig(folder, { address, sip, control, modules: modulesFor(options) }),
  )
  await writeFile(join(folder, 'accounts'), '')
  await writeFile(join(folder, 'contacts'), '')
  const program = startProgram('baresip', ['-4', '-f', folder], folder)
  const journal = createJournal<Line>(`baresip ${extension}`)
  const socket = await program.connect(control)
  readNetstrings(socket, (text) => journal.write(JSON.parse(text)))
  let orders = 0

  async function order(command: string, params = ''): Promise<string> {
    orders += 1
    const token = `${orders}`
    const text = JSON.stringify({ command, params, token })
    socket.write(`${Buffer.byteLength(text)}:${text},`)
    const answered = await journal.until((line) => line.response === true && line.token === token)
    if (!answered.ok) throw new Error(`baresip: ${command} ${params}: ${answered.data}`)
    return answered.data ?? ''
  }

  /** The next event of a kind, `after` those already seen. */
  const until = (type: string, { after = 0, within = 30_000 } = {}) =>
    journal.until((line) => line.type === type, { after, within })

  // The account is made here and not in its file, so that nothing happens before we listen.
  const settings = [
    `auth_user=${extension}`,
    `auth_pass=${password}`,
    ...(server ? [`outbound="sip:${server};transport=${transport}"`] : []),
    `regint=${options.expires ?? (server ? 60 : 0)}`,
    `answermode=${answer}`,
    ...(options.encryption ? [`mediaenc=${options.encryption}`] : []),
    `audio_codecs=${(options.codecs ?? ['PCMA', 'PCMU']).join()}`,
  ]
  await order('uanew', `<sip:${extension}@${domain};transport=${transport}>;${settings.join(';')}`)

  return {
    port: sip,
    /** What it said of itself, for the reader of a failure. */
    said: program.said,
    events: journal.entries,
    until,
    registered: () => until('REGISTER_OK'),
    /** A refused registration; its `param` is the status. */
    refused: () => until('REGISTER_FAIL'),
    incoming: (after = 0) => until('CALL_INCOMING', { after }),
    established: (after = 0) => until('CALL_ESTABLISHED', { after }),
    /** Its `param` is the reason: a status line, or words of baresip's. */
    closed: (after = 0) => until('CALL_CLOSED', { after }),
    /** A number of its own domain, or a whole SIP address. */
    dial: (whom: string) => order('dial', whom),
    accept: () => order('accept'),
    hangUp: () => order('hangup'),
    hold: () => order('hold'),
    resume: () => order('resume'),
    transfer: (whom: string) => order('transfer', whom),
    press: (digits: string) => order('sndcode', digits),
    order,
    /** What it has heard in its calls, in their order, each up to its first hold; of a call still on, nearly all so far. */
    async heard(): Promise<Int16Array> {
      const files = (await readdir(folder)).filter((name) => name.endsWith('-dec.wav')).sort()
      const parts = await Promise.all(files.map((name) => readChannel(join(folder, name))))
      return Int16Array.from(parts.flatMap((part) => [...part]))
    },
    /** As when its battery falls out: nothing is unregistered, nothing hung up. */
    async die() {
      await program.stop(() => program.signal('SIGKILL'))
    },
    /** Unregisters, and is gone. */
    async stop() {
      await program.stop(() => void order('quit').catch(() => {}))
      socket.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Baresip = Awaited<ReturnType<typeof startBaresip>>

const modulesFor = ({ encryption }: Options) =>
  encryption === 'dtls_srtp' ? [dtlsModule, ...modules] : modules

type Settings = { address: string; sip: number; control: number; modules: string[] }

/** The bridge is an ear without hardware: nobody is at its other end. sndfile keeps what passes to it. */
function writeConfig(folder: string, { address, sip, control, modules }: Settings): string {
  const settings: [string, string | number][] = [
    ['poll_method', 'epoll'],
    ['sip_listen', `${address}:${sip}`],
    ['sip_verify_server', 'no'],
    ['net_interface', address],
    ['rtp_ports', '32000-32700'],
    ['audio_source', `aufile,${folder}/mouth.wav`],
    ['audio_player', 'aubridge,ear'],
    ['audio_alert', 'aubridge,bell'],
    ['ausrc_srate', 8000],
    ['auplay_srate', 8000],
    ['ausrc_channels', 1],
    ['auplay_channels', 1],
    ['snd_path', folder],
    ['ctrl_tcp_listen', `127.0.0.1:${control}`],
    ['module_path', '/usr/lib/baresip/modules'],
    ...modules.map((name): [string, string] => ['module', name]),
    ...applications.map((name): [string, string] => ['module_app', name]),
  ]
  return settings.map(([key, value]) => `${key} ${value}\n`).join('')
}

/** Length, colon, text, comma. */
function readNetstrings(socket: Socket, onText: (text: string) => void) {
  let rest = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const colon = rest.indexOf(':')
      if (colon < 0) return
      const end = colon + 1 + Number(rest.toString('latin1', 0, colon))
      if (rest.length <= end) return
      onText(rest.toString('utf8', colon + 1, end))
      rest = rest.subarray(end + 1)
    }
  })
}
