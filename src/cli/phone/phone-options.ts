/** The command line of `phone`. */

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { AudioSource } from '../../engine/endpoint/audio/audio-source.ts'
import { readAudioSource } from '../../engine/endpoint/audio/read-audio-source.ts'
import { SoundFileRefusal } from '../../engine/endpoint/audio/read-wav.ts'
import { command } from '../../kit/process/command.ts'
import { readOptions, UsageError } from '../usage.ts'

export const usage = `Usage: ${command} phone --extension <number>[@<domain>] [options]

  --password <password>      of the extension; or set RAMAL_PASSWORD, which no process list shows
  --domain <domain>          of the account, if it is not given with the number
  --server <host[:port]>     where the service listens for SIP (else the running service is asked)
  --api <url>                of the service that is asked (http://localhost:3000, or as HOST and PORT say)
  --transport udp|tcp|ws     (udp)
  --answer auto|ask|refuse|busy   what to do when called (ask at a terminal, else auto)
  --answer-after <seconds>   for --answer auto (0)
  --play tone:<hertz>|silence|echo|nothing|<file.wav>   what to send (tone:440)
  --record <file.wav>        records the received audio
  --call <number>            calls once registered, and ends with the call
  --once                     ends with the first call
  --hangup-after <seconds>   counted from the answer
  --json                     one JSON object a line
  --background               returns once registered; the phone goes on until its call or a signal ends it

Keys: a answers, r refuses, h hangs up, digits * # are pressed, q quits.`

const options = {
  extension: { type: 'string' },
  password: { type: 'string' },
  domain: { type: 'string' },
  server: { type: 'string' },
  api: { type: 'string' },
  transport: { type: 'string', default: 'udp' },
  answer: { type: 'string' },
  'answer-after': { type: 'string' },
  play: { type: 'string', default: 'tone:440' },
  record: { type: 'string' },
  call: { type: 'string' },
  'hangup-after': { type: 'string' },
  once: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  background: { type: 'boolean', default: false },
} as const

const transports = ['udp', 'tcp', 'ws'] as const
const answers = ['auto', 'ask', 'refuse', 'busy'] as const

const defaultPorts = { udp: 5060, tcp: 5060, ws: 5066 }

type Surroundings = {
  env: Record<string, string | undefined>
  isTerminal: boolean
  /** Asks a running service, by default that of the settings, for its SIP address. */
  findServer: (transport: (typeof transports)[number], api: string | undefined) => Promise<string>
}

/** Throws UsageError for an invalid option. */
export async function readPhoneOptions(args: string[], { env, isTerminal, findServer }: Surroundings) {
  const { values } = readOptions({ args, options })
  const [extension = '', named] = (values.extension ?? '').split('@')
  const password = values.password ?? env.RAMAL_PASSWORD
  if (!/^\d{2,6}$/.test(extension)) throw new UsageError('--extension is a number of 2 to 6 digits')
  if (!password) throw new UsageError('--password or RAMAL_PASSWORD is needed')
  const transport = oneOf('--transport', values.transport, transports)
  const address = values.server ?? (await findServer(transport, values.api))
  const { host, port } = readServer(address, defaultPorts[transport])
  return {
    extension,
    password,
    domain: readDomain(values.domain ?? named ?? host),
    server: { address: await resolveHost(host), port },
    transport,
    answer: oneOf('--answer', values.answer ?? (isTerminal ? 'ask' : 'auto'), answers),
    answerAfterSeconds: seconds('--answer-after', values['answer-after']),
    hangUpAfterSeconds: seconds('--hangup-after', values['hangup-after']),
    play: await choosePlay(values.play),
    record: values.record,
    call: readCalled(values.call),
    once: values.once || values.call !== undefined,
    json: values.json,
    background: values.background,
  }
}
export type PhoneOptions = Awaited<ReturnType<typeof readPhoneOptions>>

function oneOf<const T extends string>(name: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw new UsageError(`${name} is one of ${choices.join(', ')}`)
  return found
}

function seconds(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d{1,5}(\.\d{1,3})?$/.test(value)) throw new UsageError(`${name} is a number of seconds`)
  return Number(value)
}

function readServer(text: string, defaultPort: number): { host: string; port: number } {
  if (isIP(text)) return { host: text, port: defaultPort }
  const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const host = bracketed ?? plain
  const number = port === undefined ? defaultPort : Number(port)
  if (host === undefined || number < 1 || number > 65_535) {
    throw new UsageError('--server is a host and a port, such as 127.0.0.1:5060')
  }
  return { host, port: number }
}

function readDomain(text: string): string {
  if (!/^[\w.:-]{1,255}$/.test(text)) throw new UsageError('--domain is the domain of an account')
  return text
}

function readCalled(text: string | undefined): string | undefined {
  if (text !== undefined && !/^\+?[\d*#]{1,32}$/.test(text))
    throw new UsageError('--call is a number, digits only')
  return text
}

async function resolveHost(host: string): Promise<string> {
  if (isIP(host)) return host
  try {
    return (await lookup(host)).address
  } catch (cause) {
    throw new UsageError(`the server ${host} is not known to DNS`, { cause })
  }
}

async function choosePlay(text: string): Promise<() => AudioSource> {
  try {
    return await readAudioSource(text)
  } catch (cause) {
    if (!(cause instanceof SoundFileRefusal)) throw cause
    throw new UsageError(cause.message, { cause })
  }
}
