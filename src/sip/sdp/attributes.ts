/** Parses the attributes of a medium; unknown ones are ignored. */
import { readNumber } from '../syntax/token.ts'
import type { OpenMedia } from './media.ts'
import { readConnection, readMediaPort } from './numbers.ts'
import { isDirection } from './sdp.ts'
import { readTransportAttribute } from './transport.ts'

/** `name:value` or `name` */
export function splitAttribute(attribute: string): { name: string; value: string } {
  const colon = attribute.indexOf(':')
  if (colon < 0) return { name: attribute.trim(), value: '' }
  return { name: attribute.slice(0, colon).trim(), value: attribute.slice(colon + 1).trim() }
}

export function readAttribute(medium: OpenMedia, attribute: string) {
  const { name, value } = splitAttribute(attribute)
  if (isDirection(name)) medium.direction = name
  else if (name === 'rtpmap') readRtpmap(medium, value)
  else if (name === 'fmtp') readFmtp(medium, value)
  else if (name === 'ptime') medium.ptime = readPtime(value)
  else if (name === 'rtcp') medium.rtcp = readRtcp(value)
  else readTransportAttribute(medium.transport, name, value)
}

/** `101 telephone-event/8000`. Malformed ones are ignored. */
function readRtpmap(medium: OpenMedia, value: string) {
  const [, type, name, rate, channels] =
    /^(\d{1,3})[ \t]+([^\s/]+)\/(\d{1,7})(?:\/(\d{1,3}))?$/.exec(value) ?? []
  if (type === undefined || name === undefined) return
  medium.maps.set(Number(type), { name, rate: Number(rate), channels: Number(channels ?? 1) })
}

function readFmtp(medium: OpenMedia, value: string) {
  const [, type, parameters] = /^(\d{1,3})[ \t]+(\S.*)$/.exec(value) ?? []
  if (type !== undefined && parameters !== undefined) medium.fmtps.set(Number(type), parameters)
}

/** Milliseconds of audio per packet; some phones write a fraction. */
function readPtime(value: string): number | undefined {
  const milliseconds = readNumber(value.split('.', 1)[0] ?? '')
  return milliseconds !== undefined && milliseconds >= 1 && milliseconds <= 1000 ? milliseconds : undefined
}

/** RFC 3605: `53020` or `53020 IN IP4 126.16.64.4`. Port 0 names none, and counts as missing. */
function readRtcp(value: string): OpenMedia['rtcp'] {
  const blank = value.indexOf(' ')
  const port = readMediaPort(blank < 0 ? value : value.slice(0, blank))
  if (port === 0) return undefined
  return { port, address: blank < 0 ? undefined : readConnection(value.slice(blank + 1)) }
}
