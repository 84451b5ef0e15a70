/**
 * Requests to an S3-compatible bucket: signed (Signature Version 4), with a time limit, and retried when the bucket is
 * busy or cannot be reached.
 */

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher, request } from 'undici'
import { defined } from '../../kit/defined.ts'
import { RecordingsUnavailable } from './port.ts'

export type BucketSettings = {
  bucket: string
  /** Prefix of the names in the bucket; ends with a slash unless it is empty. */
  prefix: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | undefined
  region: string
  /** Undefined at AWS. */
  endpoint: string | undefined
}

const maxTries = 4
const firstWaitMs = 200
/** For a connection, for the headers of an answer, and between two pieces of its body. */
const connectMs = 5_000
const defaultSilentMs = 20_000
/** For an answer that is not a recording. */
const maxTextBytes = 4 * 1024 * 1024

/** An answer that trying again at once would not change: wrong credentials, or a missing bucket, until the operator mends it. */
export class BucketError extends RecordingsUnavailable {
  override name = 'BucketError'
  readonly status: number
  /** S3's word for it, such as `NoSuchBucket`. */
  readonly code: string

  constructor(status: number, code: string, about: string) {
    super(`${about}: the bucket answered ${status} ${code}`)
    this.status = status
    this.code = code
  }
}

export type BucketRequest = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Without a key it is about the bucket. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer
}

type Answer = Dispatcher.ResponseData

export function createS3Client(settings: BucketSettings, silentMs = defaultSilentMs) {
  const { accessKeyId, secretAccessKey, sessionToken, region } = settings
  const base = baseOf(settings)
  /** Signing keys, one a day. */
  const cache = new Map<string, ArrayBuffer>()
  const dispatcher = new Agent({
    connect: { timeout: connectMs },
    headersTimeout: silentMs,
    bodyTimeout: silentMs,
  })

  /** The body is to be read or destroyed. Anything but success is an error. */
  async function send(wanted: BucketRequest): Promise<Answer> {
    const about = `${wanted.method} ${wanted.key ?? settings.bucket}`
    const began = performance.now()
    for (let tries = 1; ; tries++) {
      const failure = await attempt(wanted).then(
        async (answer) => (answer.statusCode < 300 ? answer : await errorOf(answer, about)),
        (error: Error) => error,
      )
      if (!(failure instanceof Error)) return failure
      if (failure instanceof BucketError && !isPassing(failure)) throw failure
      // A bucket that is silent is not asked again: somebody may wait for the download.
      const isLate = performance.now() - began >= silentMs
      if (tries === maxTries || isLate) throw new RecordingsUnavailable(failure.message, { cause: failure })
      await sleep(firstWaitMs * 2 ** (tries - 1) * (0.5 + Math.random()))
    }
  }

  async function attempt({ method, key, query = {}, headers = {}, body }: BucketRequest): Promise<Answer> {
    const url = new URL(key === undefined ? base : `${base}/${key}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: {
        ...headers,
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      accessKeyId,
      secretAccessKey,
      ...defined({ sessionToken }),
      service: 's3',
      region,
      cache,
    }).sign()
    return await request(signed.url, {
      method,
      headers: Object.fromEntries(signed.headers),
      body: body ?? null,
      dispatcher,
    })
  }

  /** For answers that are short texts. */
  async function sendForText(wanted: BucketRequest): Promise<{ text: string; answer: Answer }> {
    const answer = await send(wanted)
    return { text: await readText(answer), answer }
  }

  return { send, sendForText, close: () => dispatcher.close() }
}
export type S3Client = ReturnType<typeof createS3Client>

/** AWS names the bucket in the host, others in the path, which works with every one of them. */
function baseOf({ bucket, region, endpoint }: BucketSettings): string {
  return endpoint === undefined
    ? `https://${bucket}.s3.${region}.amazonaws.com`
    : `${endpoint.replace(/\/+$/, '')}/${bucket}`
}

async function errorOf(answer: Answer, about: string): Promise<BucketError> {
  const text = await readText(answer)
  return new BucketError(answer.statusCode, textOf(text, 'Code') ?? '', about)
}

/** The bucket is busy or out of order; the same request may succeed later. */
function isPassing({ status, code }: BucketError): boolean {
  return status === 429 || status >= 500 || code === 'RequestTimeout' || code === 'SlowDown'
}

async function readText({ body }: Answer): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > maxTextBytes) throw new Error('the answer of the bucket is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** The first element of this name. What we read in them has no characters that XML escapes. */
export function textOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
}

export function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, content = '']) => content)
}
