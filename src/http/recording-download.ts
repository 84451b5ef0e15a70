/** Answers with a recording: all of it, the requested range, or 304 if the client has it. */

import { refuse } from '../contract/errors.ts'
import type { StoredRecording } from '../recordings/storage/port.ts'
import { readByteRange } from './byte-range.ts'
import { Download } from './entry.ts'
import { corsHeaders } from './server/cors.ts'
import { errorBody } from './server/errors/error-body.ts'
import { languageHeaders, responseLanguage } from './server/errors/response-language.ts'

type Headers = Record<string, string | string[] | undefined>

export const soundTypes = { wav: 'audio/wav', ogg: 'audio/ogg', mp3: 'audio/mpeg' } as const
export type SoundFormat = keyof typeof soundTypes
const exposed = 'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Last-Modified'

/** D286: `channels` and `first` of the query. */
export type AskedForm = { channels: 1 | 2; first: 'extension' | 'caller' }

/** D576: WAV for all who accept it, as it always was: browsers name every format that they know. */
export function acceptedFormat({ accept }: Headers): SoundFormat {
  const named = one(accept)
  if (named === undefined || /\*\/\*|audio\/(\*|wav|x-wav|wave|vnd\.wave)/i.test(named)) return 'wav'
  if (/(audio|application)\/ogg|audio\/opus/i.test(named)) return 'ogg'
  return /audio\/(mpeg|mp3)/i.test(named) ? 'mp3' : 'wav'
}

export const isSwappedFor = ({ channels, first }: AskedForm, isCallerSecond: boolean) =>
  channels === 2 && first === 'caller' && isCallerSecond

/** A recording in the form that was asked for. */
type ServedSound = StoredRecording & {
  callId: string
  recordedAt: Date
  format: SoundFormat
  isSwapped: boolean
}

/** Closes the recording unless its body is sent. */
export async function answerSound(method: string, headers: Headers, sound: ServedSound): Promise<Download> {
  const { bytes, callId, recordedAt, format, isSwapped } = sound
  const etag = `"${callId}-${bytes}${isSwapped ? '-caller' : ''}${format === 'wav' ? '' : `-${format}`}"`
  const about = {
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, max-age=3600',
    ETag: etag,
    'Last-Modified': recordedAt.toUTCString(),
    Vary: 'Accept',
    'Access-Control-Expose-Headers': `${corsHeaders['access-control-expose-headers']}, ${exposed}`,
  }
  if (isCurrent(headers, etag, recordedAt)) {
    await sound.close()
    return new Download(304, about)
  }
  const range = mayBePartial(headers, etag, recordedAt) ? readByteRange(one(headers.range), bytes) : undefined
  if (range === 'beyond') {
    await sound.close()
    const language = responseLanguage({ headers })
    const headersOf416 = {
      ...about,
      'Content-Range': `bytes */${bytes}`,
      'Content-Type': 'application/json; charset=utf-8',
      ...languageHeaders[language],
    }
    const body = errorBody(refuse('RANGE_NOT_SATISFIABLE'), language)
    return new Download(416, headersOf416, JSON.stringify(body))
  }
  const sent = {
    ...about,
    'Content-Type': soundTypes[format],
    'Content-Disposition': `inline; filename="${callId}.${format}"`,
    'Content-Length': String(range ? range.to - range.from + 1 : bytes),
    ...(range && { 'Content-Range': `bytes ${range.from}-${range.to}/${bytes}` }),
  }
  if (method !== 'HEAD') return new Download(range ? 206 : 200, sent, sound.read(range))
  await sound.close()
  return new Download(range ? 206 : 200, sent)
}

/** RFC 9110 §13.1: whether the client's copy is current. */
function isCurrent(headers: Headers, etag: string, at: Date): boolean {
  const tags = one(headers['if-none-match'])
  if (tags !== undefined) return tags.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
  const since = Date.parse(one(headers['if-modified-since']) ?? '')
  return inSeconds(at) <= since
}

/** If-Range: a part is useful only if the client has the rest of the same version. */
function mayBePartial(headers: Headers, etag: string, at: Date): boolean {
  const condition = one(headers['if-range'])
  return condition === undefined || condition === etag || Date.parse(condition) === inSeconds(at)
}

/** Dates in HTTP headers have no milliseconds. */
function inSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000) * 1000
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}
