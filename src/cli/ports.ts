/** The ports that the settings name, and whether this process could listen on them. */
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import type { Config } from '../config.ts'
import { urlOf } from '../http/server/listening.ts'
import { askService } from './ask-service.ts'

type Transport = 'tcp' | 'udp'

/** The system's code for why the port cannot be opened; undefined if it can. */
export async function portProblem(transport: Transport, host: string, port: number) {
  return transport === 'udp' ? await tryUdp(host, port) : await tryTcp(host, port)
}

function tryTcp(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

function tryUdp(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close()
      resolve(error.code ?? error.message)
    })
    socket.bind(port, host, () => socket.close(() => resolve(undefined)))
  })
}

/** Whether the program at our HTTP port is Ramal. */
export async function isAnsweredByRamal(config: Config): Promise<boolean> {
  const address = urlOf(config.host, config.port, config.httpTls !== undefined)
  const answer = await askService(config, `${address}/health`).catch(() => undefined)
  return answer?.text === '{"status":"ok"}'
}

type Wanted = { setting: string; hostSetting: string; host: string; port: number; transports: Transport[] }

function wantedPorts({ host, port, roles, voice }: Config): Wanted[] {
  const http: Wanted = { setting: 'PORT', hostSetting: 'HOST', host, port, transports: ['tcp'] }
  if (!roles.includes('voice')) return [http]
  const sip = (setting: string, at: number | undefined, transports: Transport[]): Wanted => ({
    setting,
    hostSetting: 'SIP_HOST',
    host: voice.host,
    port: at ?? 0,
    transports,
  })
  return [
    http,
    sip('SIP_PORT', voice.port, ['udp', 'tcp']),
    sip('SIP_WS_PORT', voice.wsPort, ['tcp']),
    sip('SIP_TLS_PORT', voice.tlsPort, ['tcp']),
  ]
}

/** D461: before anything is started, all of them at once, each with what to do about it. */
export async function refuseTakenPorts(config: Config): Promise<void> {
  const problems: string[] = []
  for (const wanted of wantedPorts(config)) {
    const found = wanted.port === 0 ? undefined : await findProblem(wanted)
    if (found !== undefined) problems.push(await describe(config, wanted, found))
  }
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

async function findProblem({ host, port, transports }: Wanted): Promise<string | undefined> {
  const found = await Promise.all(transports.map((transport) => portProblem(transport, host, port)))
  return found.find((code) => code !== undefined)
}

async function describe(config: Config, { setting, hostSetting, host, port }: Wanted, code: string) {
  const name = `Port ${port} on ${host}`
  if (code === 'EACCES')
    return `${name} needs rights that this user does not have: set ${setting} above 1023.`
  if (code === 'EADDRNOTAVAIL') return `${host} is no address of this machine: check ${hostSetting}.`
  if (code !== 'EADDRINUSE') return `${name} cannot be opened (${code}): check ${hostSetting} and ${setting}.`
  return `${name} is taken by ${await holderOf(config, setting)}: stop it, or set ${setting} to another port (0 takes any free one).`
}

/** SIP over TLS or WebSocket is not asked: a certificate may be trusted by phones alone. */
async function holderOf(config: Config, setting: string): Promise<string> {
  if (setting !== 'PORT' && setting !== 'SIP_PORT') return 'another program, perhaps another Ramal'
  const isRamal = await (setting === 'PORT' ? isAnsweredByRamal(config) : answersSipAsRamal(config))
  return isRamal ? 'a Ramal that is running' : 'another program'
}

async function answersSipAsRamal({ voice: { host, port } }: Config): Promise<boolean> {
  // Loaded only here: a start that succeeds needs no endpoint of its own.
  const { withSipProbe } = await import('../engine/probe.ts')
  const found = await withSipProbe(host, ({ probePeer }) => probePeer({ host, port })).catch(() => undefined)
  return found?.isRamal ?? false
}
