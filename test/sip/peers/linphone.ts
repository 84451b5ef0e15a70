/** linphonec, a softphone with orders on its standard input: over TLS, and silent without SRTP. Mouth and ear are WAV files. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wavHeaderLength } from '../../../src/media/sound/wav.ts'
import { startProgram } from './program.ts'
import { writeToneWav } from './tones.ts'

type Options = {
  /** Address of the registrar, and its port for TLS. */
  host?: string
  port: number
  domain: string
  extension: string
  password: string
  /** The tone it says; it says it for a minute. */
  hertz: number
}

export async function startLinphone(options: Options) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-linphone-'))
  // Without this folder it starts, and does nothing.
  await mkdir(join(folder, '.local/share/linphone'), { recursive: true })
  const [mouth, ear] = [join(folder, 'mouth.wav'), join(folder, 'ear.wav')]
  await writeToneWav(mouth, options.hertz, 60)
  await writeFile(join(folder, 'settings'), writeSettings(options))
  const args = [`HOME=${folder}`, 'linphonec', '-c', join(folder, 'settings')]
  const program = startProgram('env', args, folder, true)
  const order = (text: string) => program.write(`${text}\n`)
  order('soundcard use files')
  order(`play ${mouth}`)
  order(`record ${ear}`)
  return {
    said: program.said,
    dial: (whom: string) => order(`call ${whom}`),
    accept: () => order('answer'),
    hangUp: () => order('terminate'),
    /** What it has heard so far. It writes the header, of 44 octets as usual, when the call is over. */
    async heard(): Promise<Int16Array> {
      const file = await readFile(ear).catch(() => Buffer.alloc(0))
      const count = Math.max(0, Math.floor((file.length - wavHeaderLength) / 2))
      return Int16Array.from({ length: count }, (_, at) => file.readInt16LE(wavHeaderLength + 2 * at))
    },
    async stop() {
      await program.stop(() => order('quit'))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function writeSettings({ host = '127.0.0.1', port, domain, extension, password }: Options): string {
  const server = `sip:${host}:${port};transport=tls`
  return `[sip]
sip_port=0
sip_tcp_port=0
sip_tls_port=-1
verify_server_certs=0
verify_server_cn=0
media_encryption=srtp
media_encryption_mandatory=1
register_only_when_network_is_up=0
use_ipv6=0
default_proxy=0
[rtp]
audio_rtp_port=33000-33600
[video]
enabled=0
[lime]
enabled=0
[proxy_0]
reg_proxy=<${server}>
reg_route=<${server};lr>
reg_identity=sip:${extension}@${domain}
reg_expires=60
reg_sendregister=1
publish=0
[auth_info_0]
username=${extension}
passwd=${password}
domain=${domain}
`
}
