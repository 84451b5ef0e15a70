/** Asterisk as a carrier, as a phone, or as the registrar of other peers. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sayOnce } from '../../helpers/run/say-once.ts'
import { type AsteriskOptions, heardFile, writeFiles } from './asterisk-conf.ts'
import { type Block, openManager } from './asterisk-manager.ts'
import { freeNeighbours } from './ports.ts'
import { startProgram } from './program.ts'
import { readChannel, wavIsWhole } from './tones.ts'

const script = fileURLToPath(new URL('../../../tools/asterisk.sh', import.meta.url))

/** In CI that is a failure, as with any program a test needs. */
export function asteriskMissing(): boolean {
  const missing = spawnSync(script, ['ready']).status !== 0
  if (missing && process.env.CI)
    throw new Error('CI needs Asterisk: .ci/run must run tools/asterisk.sh setup')
  if (missing) sayOnce('SKIPPED: tests that need Asterisk; "tools/asterisk.sh setup" fetches it')
  return missing
}

/** A call of its own making. */
type Origination = {
  /** 'carrier', an account's name, or 'line-' and the name of a line. */
  from: string
  /** SIP URI of the callee; omitted to ring the account's own phone. */
  to?: string
  /** The act, by its number, that follows the other side's answer. */
  thenActs: string
  caller?: { name: string; number: string }
}

export async function startAsterisk(options: AsteriskOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'ramal-asterisk-'))
  // Where ARI records, and it makes no folder.
  await mkdir(join(folder, 'recording'))
  const sip = await freeNeighbours(3)
  const secret = randomBytes(12).toString('hex')
  const files = writeFiles(options, { folder, sip, manager: sip + 1, http: sip + 2, secret })
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)))
  const program = startProgram(script, ['start', folder], folder)
  const socket = await program.connect(sip + 1).catch(async (error) => {
    const log = await readFile(join(folder, 'messages'), 'utf8').catch(() => 'it left no log')
    throw new Error(`Asterisk does not start: ${log}`, { cause: error })
  })
  const { act, journal, close } = await openManager(socket, secret)

  const until = journal.until
  const isEnd = (id: string) => (event: Block) => event.Event === 'Hangup' && event.Uniqueid === id

  /** The id of the channel; what becomes of it is in the events. */
  async function originate({ from, to, thenActs, caller }: Origination): Promise<string> {
    const id = `out-${randomBytes(6).toString('hex')}`
    await act('Originate', {
      Channel: `PJSIP/${from}${to ? `/${to}` : ''}`,
      ChannelId: id,
      Context: 'witness',
      Exten: thenActs,
      Priority: '1',
      Async: 'true',
      Timeout: '60000',
      ...(caller ? { CallerID: `"${caller.name}" <${caller.number}>` } : {}),
    })
    return id
  }

  /** What it received on an ended channel, by an act that records. */
  async function heard(channelId: string): Promise<Int16Array> {
    await until(isEnd(channelId))
    const path = heardFile(folder, channelId)
    for (let tries = 0; tries < 250; tries += 1) {
      if (wavIsWhole(await readFile(path))) return await readChannel(path)
      await pause(20)
    }
    throw new Error(`Asterisk never closed ${path}`)
  }

  return {
    port: sip,
    webSocketUrl: `ws://127.0.0.1:${sip + 2}/ws`,
    ari: { url: `http://127.0.0.1:${sip + 2}/ari`, username: 'ramal', password: secret },
    pid: program.pid,
    /** Blocks of the manager interface: Newchannel, Newstate, Hangup, Registry, ContactStatus, DTMFEnd and others. */
    events: journal.entries,
    until,
    originate,
    heard,
    /** The call to a number of its own: a channel whose Uniqueid the other questions take. */
    arrival: (number: string, after = 0) =>
      until(({ Event, Exten }) => Event === 'Newchannel' && Exten === number, { after }),
    answered: (channelId: string) =>
      until(
        ({ Event, Uniqueid, ChannelStateDesc }) =>
          Event === 'Newstate' && Uniqueid === channelId && ChannelStateDesc === 'Up',
      ),
    /** The cause, as Q.850 numbers it. */
    ended: async (channelId: string, within?: number) =>
      Number((await until(isEnd(channelId), within ? { within } : {})).Cause),
    /** All calls seen so far are over. */
    allEnded: (after = 0) =>
      Promise.all(
        journal.entries
          .slice(after)
          .filter(({ Event }) => Event === 'Newchannel')
          .map(({ Uniqueid = '' }) => until(isEnd(Uniqueid))),
      ),
    /** Redirects a ringing channel to another extension of the dialplan. */
    redirect: (channel: string, number: string) =>
      act('Redirect', { Channel: channel, Context: 'witness', Exten: number, Priority: '1' }),
    hangUp: (channel: string, cause = 16) => act('Hangup', { Channel: channel, Cause: `${cause}` }),
    /** A line of its own is registered. */
    lineRegistered: (username: string) =>
      until(
        ({ Event, Username = '', Status }) =>
          Event === 'Registry' && Username.includes(`:${username}@`) && Status === 'Registered',
      ),
    async stop() {
      close()
      await program.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export type Asterisk = Awaited<ReturnType<typeof startAsterisk>>
