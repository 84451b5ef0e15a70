/** D586: sound as MP3, by ffmpeg or lame if the machine has one of them. */
import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const rate = 8_000
/** Speech on two channels. */
const kilobits = 32

/** By the name of the program: what makes it read samples of 16 bits and write MP3. */
const argumentsOf = {
  ffmpeg: (channels: 1 | 2) =>
    `-v error -f s16le -ar ${rate} -ac ${channels} -i pipe:0 -f mp3 -b:a ${kilobits}k pipe:1`,
  lame: (channels: 1 | 2) =>
    `--quiet -r -s ${rate / 1000} --signed --little-endian --bitwidth 16 -m ${channels === 1 ? 'm' : 's'} -b ${kilobits} - -`,
}
type Known = keyof typeof argumentsOf

export function createMp3Program(configured: string | undefined) {
  let looked: Promise<string | undefined> | undefined
  const find = () => {
    looked ??= findProgram(configured === undefined ? Object.keys(argumentsOf) : [configured])
    return looked
  }

  /** Parts of whole samples of all channels. */
  async function* encode(parts: AsyncIterable<Uint8Array>, channels: 1 | 2): AsyncGenerator<Uint8Array> {
    const program = await find()
    if (program === undefined) throw new Error('there is no program that writes MP3')
    const known: Known = basename(program).includes('lame') ? 'lame' : 'ffmpeg'
    const child = spawn(program, argumentsOf[known](channels).split(' '), {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('close', resolve).once('error', reject)
    })
    const fed = pipeline(parts, child.stdin)
    // Both are awaited below; until then the other one may fail first.
    for (const promise of [ended, fed]) promise.catch(() => {})
    try {
      yield* child.stdout
      await fed
      const code = await ended
      if (code !== 0) throw new Error(`${program} ended with ${code}`)
    } finally {
      child.kill()
    }
  }

  return { encode, isThere: async () => (await find()) !== undefined }
}
export type Mp3Program = ReturnType<typeof createMp3Program>

async function findProgram(names: string[]): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter)
  for (const name of names) {
    for (const path of isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))) {
      const isProgram = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
      if (isProgram) return path
    }
  }
  return undefined
}
