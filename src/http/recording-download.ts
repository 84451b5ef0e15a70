/** A recording as an answer: the whole of it, the part asked for, or that the client has it already. */
import type { Sound } from '../calls/recordings/recordings.ts'
import { refuse } from '../contract/errors.ts'
import { readByteRange } from './byte-range.ts'
import { Download } from './entry.ts'
import { browserHeaders } from './server/cors.ts'
import { errorBody } from './server/error-body.ts'

type Headers = Record<string, string | string[] | undefined>

export const soundType = 'audio/wav'
const exposed = 'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Last-Modified'

/** What is not read is closed. */
export async function answerSound(method: string, headers: Headers, sound: Sound): Promise<Download> {
  const { bytes, callId, recordedAt } = sound
  const etag = `"${callId}-${bytes}"`
  const about = {
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, max-age=3600',
    ETag: etag,
    'Last-Modified': recordedAt.toUTCString(),
    'Access-Control-Expose-Headers': `${browserHeaders['access-control-expose-headers']}, ${exposed}`,
  }
  if (isKnown(headers, etag, recordedAt)) {
    await sound.close()
    return new Download(304, about)
  }
  const range = mayBePart(headers, etag, recordedAt) ? readByteRange(one(headers.range), bytes) : undefined
  if (range === 'beyond') {
    await sound.close()
    const told = {
      ...about,
      'Content-Range': `bytes */${bytes}`,
      'Content-Type': 'application/json; charset=utf-8',
    }
    return new Download(416, told, JSON.stringify(errorBody(refuse('RANGE_NOT_SATISFIABLE'))))
  }
  const told = {
    ...about,
    'Content-Type': soundType,
    'Content-Disposition': `inline; filename="${callId}.wav"`,
    'Content-Length': String(range ? range.to - range.from + 1 : bytes),
    ...(range && { 'Content-Range': `bytes ${range.from}-${range.to}/${bytes}` }),
  }
  if (method !== 'HEAD') return new Download(range ? 206 : 200, told, sound.read(range))
  await sound.close()
  return new Download(range ? 206 : 200, told)
}

/** RFC 9110 §13.1: the client's copy is as good. */
function isKnown(headers: Headers, etag: string, at: Date): boolean {
  const tags = one(headers['if-none-match'])
  if (tags !== undefined) return tags.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
  const since = Date.parse(one(headers['if-modified-since']) ?? '')
  return inSeconds(at) <= since
}

/** If-Range: a part is of use only to those who have the rest of the same thing. */
function mayBePart(headers: Headers, etag: string, at: Date): boolean {
  const condition = one(headers['if-range'])
  return condition === undefined || condition === etag || Date.parse(condition) === inSeconds(at)
}

/** The dates of HTTP know no milliseconds. */
function inSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000) * 1000
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}
