/** Recordings of calls (D19): the sound, and who may listen to it. */
import type { CallListing } from '../../../calls/list/listing.ts'
import { CallRecord, RecordingPeaks as PeaksReply } from '../../../contract/calls/call-record.ts'
import { type ErrorCode, refuse, refuseParameter } from '../../../contract/errors.ts'
import type { RecordingCopies } from '../../../recordings/copies/recording-copies.ts'
import type { RecordingPeaks } from '../../../recordings/peaks/recording-peaks.ts'
import { inForm } from '../../../recordings/peaks/sound-form.ts'
import type { RecordingLinks } from '../../../recordings/recording-links.ts'
import {
  isCallerSecond,
  type ListenedBy,
  type Recordings,
  recordedAt,
} from '../../../recordings/recordings.ts'
import { checkMay } from '../../../users/permissions.ts'
import { checkAddress, checkScope } from '../../../users/scopes.ts'
import type { Callers } from '../../../users/tokens/callers.ts'
import { type AnyEntry, entry, jsonAnswer } from '../../entry.ts'
import {
  type AskedForm,
  acceptedFormat,
  answerSound,
  isSwappedFor,
  type SoundFormat,
  soundTypes,
} from '../../recording-download.ts'
import { refuseToken } from '../../server/authorization.ts'
import { writeCall } from './call-list.ts'

const tag = 'Calls'
const scope = 'calls:read'

type Deps = {
  callListing: CallListing
  recordings: Recordings
  recordingPeaks: RecordingPeaks
  recordingCopies: RecordingCopies
  recordingLinks: RecordingLinks
  callers: Callers
}

export function recordingRoutes(deps: Deps): AnyEntry[] {
  const { recordings } = deps
  return [
    ...(['GET', 'HEAD'] as const).flatMap((method) => [
      recordingRoute(method, deps),
      ...formats.map((format) => recordingRoute(method, deps, format)),
    ]),
    peaksRoute(deps),
    changeRoute(deps, {
      method: 'DELETE',
      path: '/calls/:id/recording',
      about: 'Remove the recording of a call for good; the call stays',
      change: recordings.remove,
    }),
    changeRoute(deps, {
      method: 'POST',
      path: '/calls/:id/recording/revoke',
      about:
        'Make all links to the recording of a call that were given out so far invalid; record_url is a new one',
      change: recordings.revoke,
    }),
  ]
}

type Change = Pick<AnyEntry, 'method' | 'path' | 'about'> & { change: Recordings['remove' | 'revoke'] }

/** The answer is the call after the change. */
function changeRoute(
  { callListing, recordingLinks }: Deps,
  { method, path, about, change }: Change,
): AnyEntry {
  return entry({
    method,
    path,
    tag,
    about,
    may: 'recordings.revoke',
    scope: 'admin',
    limit: 'other',
    reply: CallRecord,
    errors: ['RECORDING_NOT_FOUND'],
    async run({ caller, params: { id = '' } }) {
      await change(caller, id)
      return jsonAnswer(writeCall(recordingLinks, await callListing.find(caller, id)))
    },
  })
}

const params = { id: '0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d' }
const linkParameters = {
  expires: 'From record_url',
  version: 'From record_url',
  signature: 'From record_url',
}
const listeningErrors: ErrorCode[] = [
  'AUTHORIZATION_REQUIRED',
  'INVALID_TOKEN',
  'SCOPE_REQUIRED',
  'TOKEN_ADDRESS_REFUSED',
  'ACCOUNT_SUSPENDED',
  'RECORDING_LINK_INVALID',
  'RECORDING_NOT_FOUND',
]

type Asked = Pick<Parameters<AnyEntry['run']>[0], 'query' | 'credential' | 'address'>

/** D120: a signature, if there is one, decides; else a token of a user who may see the call. */
function createListenerCheck({ recordingLinks, callers, callListing }: Deps) {
  return async function listenedBy(
    callId: string,
    { query, credential, address }: Asked,
  ): Promise<ListenedBy> {
    const { expires, version = '0', signature } = query
    if (expires !== undefined || signature !== undefined) {
      const link = {
        callId,
        expires: String(expires),
        version: String(version),
        signature: String(signature),
      }
      if (!recordingLinks.isValid(link)) throw refuse('RECORDING_LINK_INVALID')
      return { linkVersion: Number(version) }
    }
    const sent = credential()
    if (sent === undefined) throw refuse('AUTHORIZATION_REQUIRED')
    const caller = await callers.find(sent.token, address, sent.kind)
    if (!caller) throw refuseToken(sent.token)
    checkAddress(caller, address)
    checkScope(caller, scope)
    checkMay(caller, 'calls.list')
    if (!(await callListing.isVisible(caller, callId))) throw refuse('RECORDING_NOT_FOUND')
    return { accountId: caller.accountId }
  }
}

/** D316: a link to the recording is one to its peaks. */
function peaksRoute(deps: Deps): AnyEntry {
  const listenedBy = createListenerCheck(deps)
  return entry({
    method: 'GET',
    path: '/calls/:id/recording/peaks',
    tag,
    about:
      'How loud the parties of a recording are over time, to draw it; by its signed link or with a token',
    may: 'anyone',
    scope,
    tokenOptional: true,
    limit: 'other',
    params,
    query: linkParameters,
    reply: PeaksReply,
    errors: listeningErrors,
    async run({ params: { id = '' }, query, credential, address }) {
      const by = await listenedBy(id, { query, credential, address })
      const { seconds, extension, destination } = await deps.recordingPeaks.find(id, by)
      return {
        seconds: Math.round(seconds * 100) / 100,
        extension: [...extension],
        destination: [...destination],
      }
    },
  })
}

const formats = ['wav', 'ogg', 'mp3'] as const satisfies SoundFormat[]

/** D576: the format by the suffix or, without one, by `Accept`. */
function recordingRoute(method: 'GET' | 'HEAD', deps: Deps, suffix?: SoundFormat): AnyEntry {
  const listenedBy = createListenerCheck(deps)
  return entry({
    method,
    path: `/calls/:id/recording${suffix ? `.${suffix}` : ''}`,
    tag,
    about: `The recording of a call${suffix ? ` as ${formatNames[suffix]}` : ''}, by its signed link or with a token; in parts with Range`,
    ...(suffix === undefined && { notes }),
    may: 'anyone',
    scope,
    tokenOptional: true,
    limit: 'other',
    params,
    query: {
      ...linkParameters,
      channels: '2, which is the default: a party on each channel; 1: both on one',
      first: 'Who is on channel 1 of 2: extension, which is the default, or caller',
    },
    media: suffix ? soundTypes[suffix] : Object.values(soundTypes),
    errors: [
      ...listeningErrors,
      'RANGE_NOT_SATISFIABLE',
      'INVALID_PARAMETER_VALUE',
      ...(suffix === 'mp3' ? (['FORMAT_UNAVAILABLE'] as const) : []),
    ],
    async run({ params: { id = '' }, query, headers, credential, address }) {
      const form = { channels: readChannels(query.channels), first: readFirst(query.first) }
      const by = await listenedBy(id, { query, credential, address })
      const call = await deps.recordings.find(id, by)
      const accepted = acceptedFormat(headers)
      const isMade = accepted === 'wav' || (await deps.recordingCopies.makes(accepted))
      const format = suffix ?? (isMade ? accepted : 'wav')
      return await answerSound(method, headers, await openIn(format, deps, call, form))
    },
  })
}

const formatNames = { wav: 'WAV', ogg: 'Ogg/Opus', mp3: 'MP3' } as const satisfies Record<SoundFormat, string>
const notes =
  'WAV, unless `Accept` names Ogg or MP3 and not WAV. The same link with `.ogg`, `.mp3` or `.wav` after `recording`, before ' +
  'the question mark, is that format whatever is accepted. Ogg/Opus takes a tenth of the bytes, MP3 an eighth; MP3 needs a ' +
  'program on the machine of the service. They are made when first requested and kept. Of a long recording the first answer may be a 503 with Retry-After.'

type FoundCall = Awaited<ReturnType<Recordings['find']>>

async function openIn(format: SoundFormat, deps: Deps, call: FoundCall, form: AskedForm) {
  const { channels } = form
  const isSwapped = isSwappedFor(form, isCallerSecond(call))
  const sound =
    format === 'wav'
      ? inForm(await deps.recordings.openFound(call), { channels, isSwapped })
      : await deps.recordingCopies.open(call, { format, channels, isSwapped })
  return { ...sound, callId: call.id, recordedAt: recordedAt(call), format, isSwapped }
}

function readChannels(given: unknown): 1 | 2 {
  if (given === undefined || given === '2') return 2
  if (given === '1') return 1
  throw refuseParameter('channels', { en: 'must be 1 or 2', pt: 'deve ser 1 ou 2' })
}

function readFirst(given: unknown): 'extension' | 'caller' {
  if (given === undefined || given === 'extension') return 'extension'
  if (given === 'caller') return 'caller'
  throw refuseParameter('first', { en: 'must be extension or caller', pt: 'deve ser extension ou caller' })
}
