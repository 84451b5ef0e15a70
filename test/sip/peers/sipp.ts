/** SIPp: plays a scenario of test/sip/scenarios, once or a thousand times, and says how it went. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freeNeighbours } from './ports.ts'
import { startProgram } from './program.ts'
import { writeToneAlaw } from './tones.ts'

type Options = {
  /** The name of a file, without .xml. */
  scenario: string
  /** host:port, for scenarios that begin with a request; those that wait for one may leave it out. */
  remote?: string
  /** To be somebody's port again, such as that of a phone that registered. */
  port?: number
  /** A loopback address; by default 127.0.0.1. */
  host?: string
  transport?: 'udp' | 'tcp'
  /** What the scenario has in brackets: [domain], [status] and so on. */
  keys?: Record<string, string | number>
  /** The user dialled. */
  service?: string
  username?: string
  password?: string
  calls?: number
  /** New calls per second. */
  rate?: number
  /** At the same time, at most. */
  together?: number
  /** To be known again, as a phone that refreshes. */
  callId?: string
  /** Length of a pause in the scenario, in ms. */
  pause?: number
  hertz?: number
  /**
   * False: it repeats nothing and takes every message for a new one. Else it answers an ACK that comes twice with
   * its 200 again, which brings the ACK again, and so on: a network that doubles wants false.
   */
  repeats?: boolean
  /** Seconds until it gives up on itself. */
  patience?: number
}

const scenarios = fileURLToPath(new URL('../scenarios', import.meta.url))
const defaults: Record<string, string | number> = {
  domain: 'ramal.test',
  caller: '5511900000001',
  extension: '1000',
  expires: 600,
  first: 1,
  second: 2,
  agent: 'SIPp',
  realm: 'carrier.test',
  progress: '180 Ringing',
  status: 486,
  phrase: 'Refused',
  reason: 'Q.850;cause=16',
  elsewhere: '5511900000002@127.0.0.1',
  allow: 'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, INFO',
}

/** Listens when it returns. */
export async function startSipp(options: Options) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-sipp-'))
  const neighbours = await freeNeighbours(8)
  const port = options.port ?? neighbours
  await writeFile(join(folder, 'scenario.xml'), await readScenario(options.scenario, options.keys ?? {}))
  await writeToneAlaw(join(folder, 'tone.alaw'), options.hertz ?? 1000, 2)
  const program = startProgram('sipp', writeArguments(options, port, neighbours), folder)
  while (program.isRunning() && !(await listens(port, options.host))) await pause(10)

  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '')

  const finished = program.exited.then(async (exit) => {
    const [messages = '', errors = '', figures = ''] = await Promise.all(
      ['messages', 'errors', 'figures'].map(read),
    )
    await rm(folder, { recursive: true, force: true })
    return {
      port,
      exit,
      messages,
      errors,
      /** How many messages with such a beginning came, repeated ones too. */
      received: (beginning: string) => countReceived(messages, beginning),
      ...readFigures(figures),
    }
  })

  return {
    port,
    /** As below, while it plays. */
    received: async (beginning: string) => countReceived(await read('messages'), beginning),
    /** How it went; nothing is thrown. */
    finished,
    /** Throws, with all that was said, unless every call went as written. */
    async success() {
      const result = await finished
      if (result.exit === 0 && result.failed === 0) return result
      const { exit, errors, messages } = result
      throw new Error(
        `SIPp ${options.scenario} failed (${exit}):\n${errors || program.said().slice(-2000)}\n${messages.slice(-12_000)}`,
      )
    },
    async stop() {
      await program.stop(() => program.signal('SIGKILL'))
      await finished
    },
  }
}

function countReceived(messages: string, beginning: string): number {
  const starts = messages.matchAll(/message received .*\n\n(.*)/g)
  return [...starts].filter(([, line]) => line?.startsWith(beginning)).length
}

/** From beginning to end; throws unless every call went as written. */
export async function runSipp(options: Options) {
  const sipp = await startSipp(options)
  return await sipp.success()
}

/** Keys are filled in here: SIPp takes none in a status line. What is in brackets and no key is for SIPp to fill in. */
async function readScenario(name: string, keys: Record<string, string | number>): Promise<string> {
  const text = await readFile(join(scenarios, `${name}.xml`), 'utf8')
  const values = { ...defaults, ...keys }
  return text.replaceAll(/\[(\w+)\]/g, (whole, key) => `${values[key] ?? whole}`)
}

function writeArguments(options: Options, port: number, neighbours: number): string[] {
  const { calls = 1, rate = 10, together = calls, pause: ms = 200, patience = 60 } = options
  const settings: Record<string, string | number> = {
    '-sf': 'scenario.xml',
    '-i': options.host ?? '127.0.0.1',
    '-p': port,
    '-t': options.transport === 'tcp' ? 't1' : 'u1',
    '-ci': '127.0.0.1',
    '-cp': neighbours + 1,
    '-mi': '127.0.0.1',
    '-mp': neighbours + 2,
    '-s': options.service ?? 'service',
    '-m': calls,
    '-r': rate,
    '-l': together,
    '-d': ms,
    '-timeout': patience,
    '-message_file': 'messages',
    '-error_file': 'errors',
    '-stf': 'figures',
    // A busy machine is no failure of the call.
    '-watchdog_minor_threshold': 10_000,
    '-watchdog_major_threshold': 30_000,
    ...(options.callId === undefined ? {} : { '-cid_str': options.callId }),
    ...(options.username === undefined ? {} : { '-au': options.username }),
    ...(options.password === undefined ? {} : { '-ap': options.password }),
    // By default SIPp signs for its remote address; a phone signs for the number it dials (D180).
    ...(options.username && options.service ? { '-auth_uri': `${options.service}@ramal.test` } : {}),
  }
  return [
    ...(options.remote ? [options.remote] : []),
    ...Object.entries(settings).flatMap(([name, value]) => [name, `${value}`]),
    ...(options.repeats === false ? ['-nr'] : []),
    '-timeout_error',
    '-trace_msg',
    '-trace_err',
    '-trace_stat',
    '-nostdin',
  ]
}

/** Asked of the kernel: to try the port ourselves would take it from the program. */
async function listens(port: number, host = '127.0.0.1'): Promise<boolean> {
  const address = host
    .split('.')
    .reverse()
    .map((part) => Number(part).toString(16).padStart(2, '0'))
  const mark = `${address.join('').toUpperCase()}:${port.toString(16).toUpperCase().padStart(4, '0')} `
  const tables = await Promise.all(['udp', 'tcp'].map((name) => readFile(`/proc/net/${name}`, 'utf8')))
  return tables.some((table) => table.includes(`: ${mark}`))
}

/** The last line of its table, by the names of the first; (C) means since the beginning. */
function readFigures(text: string) {
  const lines = text.trim().split('\n')
  const names = lines[0]?.split(';') ?? []
  const values = lines.at(-1)?.split(';') ?? []
  const count = (name: string) => Number(values[names.indexOf(name)] ?? 0)
  return {
    successful: count('SuccessfulCall(C)'),
    failed: count('FailedCall(C)'),
    retransmissions: count('Retransmissions(C)'),
  }
}
