/** Parses SDP, strict about the lines we use; unknown lines are ignored. */
import { limits } from '../limits.ts'
import { malformed } from '../refusal.ts'
import { trimBlanks } from '../syntax/token.ts'
import { readAttribute, splitAttribute } from './attributes.ts'
import { finishMedia, type OpenMedia, openMedia } from './media.ts'
import { readConnection } from './numbers.ts'
import { type Direction, isDirection, type Media, type Origin, type Sdp } from './sdp.ts'
import { type OpenTransport, plainTransport, readTransportAttribute } from './transport.ts'

type OpenSession = {
  origin: Origin | undefined
  name: string
  address: string | undefined
  direction: Direction | undefined
  /** For every medium without attributes of its own. */
  transport: OpenTransport
  bundle: readonly string[]
}

/** Lines may end with a bare LF, as RFC 8866, 5 requires of parsers, and with blanks, which some phones send. */
export function parseSdp(body: Buffer | string): Sdp {
  const lines = body.toString('utf8').split(/\r?\n/).map(trimBlanks)
  if (lines.length > limits.sdpLines) throw malformed('Too many lines of SDP')
  if (lines.some(({ length }) => length > limits.sdpLineLength)) throw malformed('Line of SDP too long')
  if (lines[0] !== 'v=0') throw malformed('SDP of no known version')
  // Rejected, since an answer repeats parts of its offer and must be serialisable.
  if (lines.some((line) => /[\r\0]/.test(line))) throw malformed('Stray CR or NUL in SDP')
  const session: OpenSession = {
    origin: undefined,
    name: '-',
    address: undefined,
    direction: undefined,
    transport: { ...plainTransport },
    bundle: [],
  }
  const media: OpenMedia[] = []
  for (const line of lines) {
    const value = line.slice(2)
    const medium = media.at(-1)
    if (line === '') continue
    else if (line[1] !== '=') throw malformed('Malformed line of SDP')
    else if (line[0] === 'm') media.push(openMedia(value, session.transport))
    else if (medium) readMediaLine(medium, line[0], value)
    else readSessionLine(session, line[0], value)
  }
  const { origin, name, address, direction, bundle } = session
  if (!origin) throw malformed('SDP without an origin')
  if (media.length > limits.sdpMedia) throw malformed('Too many media in SDP')
  return { origin, name, address, direction, media: media.map(finishMedia).map(withBundle) }

  function withBundle({ transport, ...medium }: Media): Media {
    const isBundled = transport.mid !== undefined && bundle.includes(transport.mid)
    return { ...medium, transport: { ...transport, isBundled } }
  }
}

function readMediaLine(medium: OpenMedia, type: string | undefined, value: string) {
  if (type === 'c') medium.address = readConnection(value)
  else if (type === 'a') readAttribute(medium, value)
}

function readSessionLine(session: OpenSession, type: string | undefined, value: string) {
  if (type === 'o') session.origin = readOrigin(value)
  else if (type === 's') session.name = value
  else if (type === 'c') session.address = readConnection(value)
  else if (type === 'a') readSessionAttribute(session, value)
}

function readSessionAttribute(session: OpenSession, attribute: string) {
  const { name, value } = splitAttribute(attribute)
  if (isDirection(attribute)) session.direction = attribute
  else if (name === 'group' && value.startsWith('BUNDLE ')) session.bundle = value.split(' ').slice(1)
  else readTransportAttribute(session.transport, name, value)
}

/**
 * `- 2890844526 2890842807 IN IP4 host`. Read from its end, since some phones write a name with blanks; the address is
 * only compared, so a host name is accepted.
 */
function readOrigin(value: string): Origin {
  const words = value.trim().split(/[ \t]+/)
  const [sessionId = '', version = '', , , address = ''] = words.slice(-5)
  if (words.length < 6 || !/^\d{1,20}$/.test(version)) throw malformed('Malformed origin of SDP')
  return { username: words.slice(0, -5).join(' '), sessionId, version, address }
}
