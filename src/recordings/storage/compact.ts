/**
 * D275: recordings stored as G.711, in half the room. Opened, they are as they were put: WAV of 16 bits. A compact
 * recording has a name of its own, so that both kinds stay readable whatever the setting is.
 */
import { Readable } from 'node:stream'
import { pcma } from '../../media/codecs/pcma.ts'
import { frameBytes, wavHeader, wavHeaderLength, wavSampleRate } from '../../media/sound/wav.ts'
import { convertedRecording, wholeFrames } from './converted.ts'
import { isCopy } from './names.ts'
import type { RecordingSource, RecordingStore } from './port.ts'

const { decode, encode } = pcma.audio.tables
const sampleBytes = 2
const channels = 2
const compactHeaderLength = 58
/** A-law in the registry of WAV formats. */
const alaw = 6

const compactName = (name: string) => name.replace(/\.wav$/, '-alaw.wav')

/** `compacts`: whether new recordings are stored as G.711. */
export function createCompactStore(store: RecordingStore, compacts: boolean): RecordingStore {
  async function openCompact(name: string) {
    const found = await store.open(compactName(name))
    if (!found) return undefined
    return convertedRecording(found, {
      stored: { headerBytes: compactHeaderLength, frameBytes: channels },
      wanted: { headerBytes: wavHeaderLength, frameBytes },
      header: wavHeader,
      convert: toSamples,
    })
  }

  return {
    put: (name, source) =>
      compacts && !isCopy(name) ? store.put(compactName(name), compacted(source)) : store.put(name, source),
    open: async (name) =>
      isCopy(name)
        ? await store.open(name)
        : compacts
          ? ((await openCompact(name)) ?? (await store.open(name)))
          : ((await store.open(name)) ?? (await openCompact(name))),
    async remove(name) {
      await store.remove(name)
      if (!isCopy(name)) await store.remove(compactName(name))
    },
    removeBefore: (day) => store.removeBefore(day),
  }
}

function compacted(source: RecordingSource): RecordingSource {
  return {
    async open() {
      return Readable.from(compact(await source.open()))
    },
  }
}

/** The header is a whole number of frames long, so the first chunks together begin with it. */
async function* compact(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer = Buffer.alloc(0)
  for await (const chunk of wholeFrames(source, frameBytes)) {
    if (head.length === wavHeaderLength) {
      yield toOctets(chunk)
      continue
    }
    const missing = wavHeaderLength - head.length
    head = Buffer.concat([head, chunk.subarray(0, missing)])
    if (head.length < wavHeaderLength) continue
    yield compactHeader(Math.floor(head.readUInt32LE(wavHeaderLength - 4) / frameBytes))
    if (chunk.length > missing) yield toOctets(chunk.subarray(missing))
  }
}

function toOctets(samples: Buffer): Buffer {
  const octets = Buffer.allocUnsafe(samples.length / sampleBytes)
  for (let at = 0; at < octets.length; at += 1)
    octets[at] = encode[samples.readUInt16LE(at * sampleBytes)] ?? 0
  return octets
}

function toSamples(octets: Buffer): Buffer {
  const samples = Buffer.allocUnsafe(octets.length * sampleBytes)
  for (let at = 0; at < octets.length; at += 1)
    samples.writeInt16LE(decode[octets[at] ?? 0] ?? 0, at * sampleBytes)
  return samples
}

function compactHeader(frames: number): Buffer {
  const data = frames * channels
  const header = Buffer.alloc(compactHeaderLength)
  header.write('RIFF', 0)
  header.writeUInt32LE(data + compactHeaderLength - 8, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(18, 16)
  header.writeUInt16LE(alaw, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(wavSampleRate, 24)
  header.writeUInt32LE(wavSampleRate * channels, 28)
  header.writeUInt16LE(channels, 32)
  header.writeUInt16LE(8, 34)
  header.write('fact', 38)
  header.writeUInt32LE(4, 42)
  header.writeUInt32LE(frames, 46)
  header.write('data', 50)
  header.writeUInt32LE(data, 54)
  return header
}
