import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterEach, expect, describe as suite, test, vi } from 'vitest'
import { secondsOfTone } from '../../test/sip/peers/tones.ts'
import { type CodecName, codecNamed } from './codecs/registry.ts'
import { createMedia } from './media.ts'
import type { SideName } from './relay/side.ts'
import { createPhone, headerOf, type Phone } from './testing/phone.ts'
import { powerShare, rtpPacket } from './testing/sound.ts'
import { channelOf } from './testing/wav-file.ts'
import type { MediaEvent } from './thread/messages.ts'
import { udpKinds, whyNot } from './udp/choose-udp.ts'

const host = '127.0.0.1'
const log = { warn: vi.fn(), error: vi.fn() }
const soon = { timeout: 30_000, interval: 10 }

const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

let base = 21_000 + (process.pid % 500) * 40

suite.each(udpKinds.filter((kind) => !whyNot(kind)))('D631: with sockets of %s', (sockets) => {
  function startMedia({ pairs = 10, threads = 1, maxThreads = 1, callsPerThread = 150 } = {}) {
    const from = base
    base += 2 * pairs
    const made = createMedia({
      ports: { from, to: from + 2 * pairs - 1 },
      host,
      threads,
      maxThreads: Math.max(threads, maxThreads),
      callsPerThread,
      sockets,
      log,
    })
    endings.push(made.stop)
    return Object.assign(made, { from })
  }

  async function phone(codec: CodecName = 'PCMA', ssrc = 1) {
    const made = await createPhone({ codec, ssrc })
    endings.push(made.hangUp)
    return made
  }

  const describe = ({ port, rtcpPort }: Phone, codec: CodecName = 'PCMA') => ({
    address: host,
    port,
    rtcpPort,
    payloads: [{ number: codecNamed(codec).payloadType, codec }],
  })

  /** Two phones in a call. */
  async function talking(codecs: Record<SideName, CodecName> = { extension: 'PCMA', other: 'PCMA' }) {
    const [extension, other] = [await phone(codecs.extension, 11), await phone(codecs.other, 22)]
    const events: MediaEvent[] = []
    const media = startMedia()
    const { ports } = await media.open('call', (event) => events.push(event))
    await media.expect('call', 'extension', describe(extension, codecs.extension))
    await media.expect('call', 'other', describe(other, codecs.other))
    return { media, ports, extension, other, events }
  }

  test.each<[CodecName, CodecName]>([
    ['PCMA', 'PCMA'],
    ['PCMU', 'PCMA'],
    ['G722', 'G722'],
    ['G722', 'PCMA'],
  ])('each side receives only the tone of the other (%s and %s)', async (codec, otherCodec) => {
    const { ports, extension, other } = await talking({ extension: codec, other: otherCodec })
    extension.talk(ports.extension, 440)
    other.talk(ports.other, 1000)
    for (const one of [extension, other])
      await vi.waitFor(() => expect(one.received.length).toBeGreaterThan(40), soon)
    expect(powerShare(extension.sound(), 1000)).toBeGreaterThan(0.98)
    expect(powerShare(extension.sound(), 440)).toBeLessThan(0.01)
    expect(powerShare(other.sound(), 440)).toBeGreaterThan(0.98)
    expect(powerShare(other.sound(), 1000)).toBeLessThan(0.01)
  })

  test('the recording has the extension left and the other side right', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ramal-media-'))
    endings.push(() => rm(folder, { recursive: true }))
    const { media, ports, extension, other } = await talking()
    const path = join(folder, 'call.wav')
    await media.startRecording('call', path)
    await expect(media.startRecording('call', path)).rejects.toThrow('already recording')
    extension.talk(ports.extension, 440)
    other.talk(ports.other, 1000)
    await vi.waitFor(() => expect(other.received.length).toBeGreaterThan(75), soon)
    const recorded = await media.stopRecording('call')
    const file = await readFile(path)
    expect(recorded).toMatchObject({ path, bytes: file.length })
    expect(recorded.seconds).toBeGreaterThan(1.4)
    // In windows: a pause of the sender shifts the phase of what follows.
    expect(secondsOfTone(channelOf(file, 0), 440)).toBeGreaterThan(1)
    expect(secondsOfTone(channelOf(file, 0), 1000)).toBe(0)
    expect(secondsOfTone(channelOf(file, 1), 1000)).toBeGreaterThan(1)
    await expect(media.stopRecording('call')).rejects.toThrow('not recording')
  })

  test('closing a call finishes its recording', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ramal-media-'))
    endings.push(() => rm(folder, { recursive: true }))
    const { media } = await talking()
    const path = join(folder, 'call.wav')
    await media.startRecording('call', path)
    const { recording } = await media.close('call')
    expect(recording).toMatchObject({ path, bytes: (await readFile(path)).length })
  })

  test('packets of a stray source and of an attacker are dropped and counted', async () => {
    const { media, ports, extension, other } = await talking()
    const attacker = await phone('PCMA', 66)
    extension.say(ports.extension, new Uint8Array(160))
    await vi.waitFor(() => expect(other.received).toHaveLength(1), soon)
    for (let sequence = 1; sequence <= 10; sequence += 1)
      attacker.send(ports.extension, rtpPacket({ sequence, ssrc: 66 }))
    attacker.send(ports.extension, Buffer.from('hello'))
    extension.say(ports.extension, new Uint8Array(160))
    other.say(ports.other, new Uint8Array(160))
    await vi.waitFor(() => expect(other.received.length + extension.received.length).toBe(3), soon)
    expect(attacker.received).toEqual([])
    const { statistics } = await media.close('call')
    expect(statistics.extension).toMatchObject({
      received: { packets: 2, bytes: 2 * 172 },
      dropped: { foreign: 10, malformed: 1 },
    })
  })

  test('a phone behind NAT is latched by its packets, and again after a re-INVITE', async () => {
    const { media, ports, extension, other } = await talking()
    const elsewhere = { ...describe(extension), address: '192.0.2.55', signalsFrom: host }
    for (const [round, port] of [4000, 4002].entries()) {
      await media.expect('call', 'extension', { ...elsewhere, port })
      for (let n = 0; n < 3; n += 1) extension.say(ports.extension, new Uint8Array(160))
      await vi.waitFor(() => expect(other.received).toHaveLength(round + 1), soon)
      other.say(ports.other, new Uint8Array(160))
      await vi.waitFor(() => expect(extension.received).toHaveLength(round + 1), soon)
    }
  })

  test('D276: a phone that gets another port after seconds of sound is heard again', async () => {
    const { ports, extension, other } = await talking()
    extension.talk(ports.extension, 440)
    await vi.waitFor(() => expect(other.received.length).toBeGreaterThan(130), soon)
    extension.fallSilent()
    const heard = other.received.length
    const moved = await phone('PCMA', 11)
    moved.talk(ports.extension, 440)
    await vi.waitFor(() => expect(other.received.length).toBeGreaterThan(heard + 40), soon)
  })

  test('RTCP is relayed, and only from the sides', async () => {
    const { ports, extension, other } = await talking()
    const report = Buffer.from('80c9000100000001', 'hex')
    const attacker = await phone()
    extension.report(ports.extension + 1, report)
    await vi.waitFor(() => expect(other.reports).toEqual([report]), soon)
    attacker.report(ports.extension + 1, report)
    other.report(ports.other + 1, report)
    await vi.waitFor(() => expect(extension.reports).toEqual([report]), soon)
    expect(other.reports).toHaveLength(1)
  })

  test('ringback is paced and ends with the first media of the other side', async () => {
    const { media, ports, extension, other, events } = await talking()
    await media.playRingback('call', 'extension')
    await vi.waitFor(() => expect(extension.received.length).toBeGreaterThan(25), soon)
    expect(powerShare(extension.sound(), 425)).toBeGreaterThan(0.98)
    other.say(ports.other, new Uint8Array(160))
    await vi.waitFor(() => expect(events).toContainEqual({ type: 'media', side: 'other' }), soon)
    other.say(ports.other, new Uint8Array(160).fill(1))
    await vi.waitFor(() => expect(extension.received.at(-1)?.[12]).toBe(1), soon)
    const numbers = extension.received.map((packet) => headerOf(packet).sequence)
    expect(numbers.map((number) => (number - (numbers[0] ?? 0)) & 0xffff)).toEqual([...numbers.keys()])
  })

  test('D633: what the kernel dropped is in the statistics of the side, where the kernel says it', async () => {
    const { media, ports, extension, other } = await talking()
    extension.say(ports.extension, new Uint8Array(160))
    await vi.waitFor(() => expect(other.received).toHaveLength(1), soon)
    const { statistics } = await media.close('call')
    const expected = sockets === 'epoll' ? 0 : undefined
    expect([statistics.extension.droppedByKernel, statistics.other.droppedByKernel]).toEqual([
      expected,
      expected,
    ])
    expect(media.load().droppedByKernel).toBe(0)
  })

  test('closing a call releases its ports, and a call is never open twice', async () => {
    const media = startMedia({ pairs: 2 })
    const { ports } = await media.open('first')
    expect(new Set([ports.extension, ports.other])).toEqual(new Set([media.from, media.from + 2]))
    await expect(media.open('first')).rejects.toMatchObject({ reason: 'call already open' })
    await expect(media.open('second')).rejects.toMatchObject({ reason: 'ports used up' })
    await Promise.all([media.close('first'), media.close('first')])
    await expect(media.close('first')).rejects.toMatchObject({ reason: 'no such call' })
    await media.open('second')
    expect(media.load()).toMatchObject({ calls: 1, freePairs: 0 })
  })

  test('a call closed while it opens releases its ports', async () => {
    const media = startMedia({ pairs: 2 })
    for (let round = 0; round < 5; round += 1) await Promise.all([media.open('call'), media.close('call')])
    expect(media.load()).toMatchObject({ calls: 0, freePairs: 2 })
    await media.open('call')
  })

  test('a port in use by another process is skipped', async () => {
    const media = startMedia({ pairs: 3 })
    const holder = createSocket('udp4').bind(media.from + 3, host)
    await once(holder, 'listening')
    endings.push(async () => holder.close())
    const { ports } = await media.open('call')
    expect([ports.extension, ports.other].sort()).toEqual([media.from, media.from + 4])
    expect(media.load().freePairs).toBe(1)
    await expect(media.open('more')).rejects.toMatchObject({ reason: 'ports used up' })
    expect(media.load()).toMatchObject({ calls: 1, freePairs: 1 })
  })

  test('a media thread that dies loses its calls, releases their ports and is replaced', async () => {
    const media = startMedia({ pairs: 2 })
    const events: MediaEvent[] = []
    const started = once(process, 'worker')
    await media.open('call', (event) => events.push(event))
    const [thread] = (await started) as [Worker]
    await thread.terminate()
    await vi.waitFor(() => expect(events).toEqual([{ type: 'lost' }]), soon)
    expect(log.error).toHaveBeenCalledOnce()
    await expect(media.close('call')).rejects.toMatchObject({ reason: 'no such call' })
    await media.open('call')
    expect(media.load()).toMatchObject({ calls: 1, freePairs: 0 })
  })

  test('a media thread that dies takes no call of another thread along', async () => {
    const workers: Worker[] = []
    const collect = (worker: Worker) => workers.push(worker)
    process.on('worker', collect)
    endings.push(async () => void process.off('worker', collect))
    const media = startMedia({ pairs: 8, threads: 2 })
    media.start()
    await vi.waitFor(() => expect(workers).toHaveLength(2), soon)
    const events: Record<string, MediaEvent[]> = { first: [], second: [] }
    await media.open('first', (event) => events.first?.push(event))
    const { ports } = await media.open('second', (event) => events.second?.push(event))
    const [extension, other] = [await phone('PCMA', 11), await phone('PCMA', 22)]
    await media.expect('second', 'extension', describe(extension))
    await media.expect('second', 'other', describe(other))
    extension.talk(ports.extension, 440)
    await vi.waitFor(() => expect(other.received.length).toBeGreaterThan(5), soon)
    await workers[0]?.terminate()
    await vi.waitFor(() => expect(events.first).toEqual([{ type: 'lost' }]), soon)
    const heard = other.received.length
    await vi.waitFor(() => expect(other.received.length).toBeGreaterThan(heard + 20), soon)
    expect(events.second).toEqual([{ type: 'media', side: 'extension' }])
    expect((await media.close('second')).statistics.extension.lost).toBe(0)
    await media.open('first')
  })

  test('an unreachable address loses its packets and nothing else', async () => {
    const { media, ports, extension, other, events } = await talking()
    await media.expect('call', 'other', { ...describe(other), address: '2001:db8::1' })
    extension.say(ports.extension, new Uint8Array(160))
    await vi.waitFor(() => expect(events).toHaveLength(1), soon)
    await media.expect('call', 'other', describe(other))
    extension.say(ports.extension, new Uint8Array(160))
    await vi.waitFor(() => expect(other.received).toHaveLength(1), soon)
  })

  test('D634: another thread starts when all have as many calls as they should, up to the maximum', async () => {
    const media = startMedia({ pairs: 24, maxThreads: 2, callsPerThread: 2 })
    const threadsAfter = async (id: string) => {
      await media.open(id)
      return media.load().threads
    }
    expect(await threadsAfter('first')).toBe(1)
    expect(await threadsAfter('second')).toBe(2)
    for (const id of ['third', 'fourth', 'fifth', 'sixth']) expect(await threadsAfter(id)).toBe(2)
    expect(media.load().callsOfThreads).toEqual([3, 3])
  })

  test('calls are distributed over the threads, and many open at once', async () => {
    // A few more than needed: other processes may use some of them.
    const media = startMedia({ pairs: 48, threads: 2 })
    const opened = await Promise.all(Array.from({ length: 20 }, (_, n) => media.open(`call ${n}`)))
    const ports = opened.flatMap((one) => Object.values(one.ports))
    expect(new Set(ports).size).toBe(40)
    await media.stop()
    expect(media.load()).toMatchObject({ calls: 0, freePairs: 48 })
    await expect(media.open('late')).rejects.toMatchObject({ reason: 'media stopped' })
  })
})
