/** What the doctor looks at for calls: SIP ports, carriers, the folder of the recordings. */
import { createSocket } from 'node:dgram'
import { access, constants, mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Config } from '../config.ts'
import { createResolve } from '../engine/embedded/trunks/resolve.ts'
import type { Trunk } from '../engine/embedded/trunks/trunk.ts'
import { openSipEndpoint, type SipEndpoint } from '../engine/endpoint/signalling/sip-endpoint.ts'
import { noParams } from '../engine/sip/syntax/params.ts'
import type { Target } from '../engine/sip/transport/flow.ts'
import { type SipUri, sipUri } from '../engine/sip/uri/uri.ts'
import { createLog } from '../kit/log.ts'
import { systemTimers } from '../kit/timers.ts'
import { type Finding, fine, ill } from './finding.ts'

const answersWithinMs = 4_000

type Voice = Config['voice']

export async function checkSipPort({ voice }: Config): Promise<Finding[]> {
  const { host, port } = voice
  const taken = port > 0 && !((await canBindUdp(host, port)) && (await canListen(host, port)))
  if (!taken) return [fine(`${host}:${port} is free for SIP over UDP and TCP`)]
  const answers = await withSipEndpoint(host, (endpoint) =>
    asks(endpoint, sipUri({ host, port }), { transport: 'udp', remote: { address: host, port } }),
  )
  return answers === undefined
    ? [ill(`${host}:${port} is taken or cannot be had: stop the other program or set SIP_HOST and SIP_PORT`)]
    : [fine(`${host}:${port} is taken, and answers SIP`)]
}

export async function checkTrunks({ voice }: Config): Promise<Finding[]> {
  if (voice.trunks.length === 0)
    return [fine('none: calls go to the sandbox carrier; set TRUNKS for a real one')]
  return await withSipEndpoint(voice.host, (endpoint) =>
    Promise.all(voice.trunks.map((trunk) => checkTrunk(endpoint, trunk, voice))),
  )
}

async function checkTrunk(endpoint: SipEndpoint, trunk: Trunk, { host }: Voice): Promise<Finding> {
  const resolve = createResolve({ family: host.includes(':') ? 6 : 4 })
  const [remote] = await resolve(trunk).catch(() => [])
  if (!remote) return ill(`${trunk.name}: its address cannot be found: check TRUNKS and DNS`)
  const status = await asks(endpoint, trunk.address, { transport: trunk.transport, remote })
  const where = `${remote.address}:${remote.port}`
  if (status === undefined) return ill(`${trunk.name} does not answer OPTIONS at ${where}`)
  return status === 503
    ? ill(`${trunk.name} is out of service (503)`)
    : fine(`${trunk.name} answers at ${where}`)
}

/** The status of an OPTIONS, if there was any in time. */
async function asks(endpoint: SipEndpoint, uri: SipUri, target: Target): Promise<number | undefined> {
  const self = { name: undefined, uri: sipUri({ user: 'doctor', host: 'localhost' }), params: noParams }
  const late = new Promise<undefined>((resolve) =>
    systemTimers.after(answersWithinMs, () => resolve(undefined)),
  )
  const to = { ...self, uri }
  const answer = endpoint.userAgent.request({ method: 'OPTIONS', uri, target, from: self, to })
  return (await Promise.race([answer, late]))?.status
}

async function withSipEndpoint<T>(host: string, work: (endpoint: SipEndpoint) => Promise<T>): Promise<T> {
  const log = createLog('silent')
  const endpoint = await openSipEndpoint({ host, product: 'Ramal doctor', timers: systemTimers, log })
  try {
    return await work(endpoint)
  } finally {
    await endpoint.stop()
  }
}

function canBindUdp(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    socket.once('error', () => {
      socket.close()
      resolve(false)
    })
    socket.bind(port, host, () => socket.close(() => resolve(true)))
  })
}

function canListen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}

export async function checkRecordings({ recordings, recordingDays }: Config): Promise<Finding[]> {
  try {
    await mkdir(recordings, { recursive: true })
    await access(recordings, constants.W_OK)
    return [fine(`kept ${recordingDays} days in ${recordings}`)]
  } catch (error) {
    return [ill(`${error instanceof Error ? error.message : error}: check RECORDINGS`)]
  }
}
