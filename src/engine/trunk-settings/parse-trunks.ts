/**
 * The setting TRUNKS: a JSON array of trunks, or `@` and the path of a file that holds one, so that passwords need
 * not stand in the environment.
 *
 *   [{"name": "main", "address": "sip:carrier.example", "username": "u", "password": "p", "format": "e164-plus"}]
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { isNetwork } from '../../kit/networks.ts'
import { readPhone } from '../../kit/text/phone.ts'
import { type CodecName, codecNames, g711Names } from '../../media/codecs/registry.ts'
import { parseUri } from '../../sip/uri/parse.ts'
import { formatUri, type SipUri } from '../../sip/uri/uri.ts'
import {
  type FieldReader,
  listOf,
  matching,
  oneOf,
  optional,
  readFields,
  required,
  TrunksRefusal,
  whole,
  yesNo,
} from './read-fields.ts'
import { numberFormats, type TrunkSettings, type TrunkTransport, trunkTransports } from './trunk-settings.ts'

export const maxTrunks = 64

const address: FieldReader<SipUri> = (value) => {
  const must =
    'a SIP address such as sip:carrier.example or sip:203.0.113.7:5060;transport=tcp (udp, tcp or tls)'
  try {
    const uri = parseUri(typeof value === 'string' ? value : '')
    if (uri.scheme !== 'sip' && uri.scheme !== 'sips') return { must }
    const transport = uri.params.get('transport')
    if (transport !== undefined && !trunkTransports.some((one) => one === transport.toLowerCase()))
      return { must }
    return uri.user === undefined && uri.headers.length === 0 ? { value: uri } : { must }
  } catch {
    return { must }
  }
}

const phone: FieldReader<string> = (value) => {
  const number = typeof value === 'string' ? readPhone(value) : undefined
  return number === undefined ? { must: 'a telephone number such as 551130001000' } : { value: number }
}

const network: FieldReader<string> = (value) =>
  typeof value === 'string' && isNetwork(value) ? { value } : { must: 'a network' }

const nodeAddress: FieldReader<string> = (value) =>
  typeof value === 'string' && isIP(value) !== 0 ? { value } : { must: 'an address' }

const codecList = `a list of ${codecNames.join(' and ')}`

const codecs: FieldReader<CodecName[]> = (value) => {
  const read = listOf(oneOf(...codecNames), codecList)(value)
  if ('must' in read) return read
  const { size } = new Set(read.value)
  const must = `${codecList}, each once at most`
  return size > 0 && size === read.value.length ? read : { must }
}

const printable = /^[\x20-\x7e]{1,128}$/

const fields = {
  name: required(matching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/, 'up to 32 letters, digits, - and _')),
  address: required(address),
  username: optional<string | undefined>(matching(printable, 'up to 128 printable characters'), undefined),
  password: optional<string | undefined>(matching(printable, 'up to 128 printable characters'), undefined),
  trust: optional(listOf(network, 'a list of addresses or networks such as 203.0.113.0/24'), []),
  format: optional(oneOf(...numberFormats), 'e164'),
  callerId: optional<string | undefined>(phone, undefined),
  from: optional(oneOf('number', 'username'), 'number'),
  prefixes: optional(listOf(matching(/^\d{1,15}$/, 'digits'), 'a list of digits such as 55'), []),
  services: optional(
    listOf(matching(/^\d{3,5}$/, 'three to five digits'), 'a list of short numbers such as 190'),
    [],
  ),
  priority: optional(whole(1, 100), 1),
  weight: optional(whole(1, 100), 1),
  channels: optional(whole(1, 10_000), 100),
  callsPerSecond: optional(whole(1, 1_000), 20),
  qualifySeconds: optional(whole(0, 3_600), 60),
  codecs: optional<CodecName[]>(codecs, [...g711Names]),
  srtp: optional(yesNo, false),
  register: optional(yesNo, false),
  nodes: optional(listOf(nodeAddress, 'a list of addresses of nodes such as 192.0.2.10'), []),
}

/** Throws TrunksRefusal, and nothing else, at what cannot be used. */
export function parseTrunks(text: string, readFile = readTextFile): TrunkSettings[] {
  const given = parseJson(text.startsWith('@') ? readFile(text.slice(1)) : text)
  const must = 'must be a JSON array of trunks, or @ and the path of a file that holds one'
  if (!Array.isArray(given)) throw new TrunksRefusal(must)
  if (given.length > maxTrunks) throw new TrunksRefusal(`has more than ${maxTrunks} trunks`)
  const trunks = given.map((one: unknown, index) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) throw new TrunksRefusal(must)
    return readTrunk(one, whoIs(one, index))
  })
  const twice = trunks.find(({ name }, index) => trunks.findIndex((other) => other.name === name) < index)
  if (twice) throw new TrunksRefusal(`has two trunks called "${twice.name}"`)
  return trunks
}

function readTrunk(given: object, who: string): TrunkSettings {
  const { username, password, ...rest } = readFields(given, fields, who)
  if ((username === undefined) !== (password === undefined)) {
    const field = username === undefined ? 'username' : 'password'
    throw new TrunksRefusal(`has ${who} with only one of username and password`, { field })
  }
  const login = username === undefined || password === undefined ? undefined : { username, password }
  if (!login && rest.register) {
    throw new TrunksRefusal(`has ${who} that is to register without a username`, { field: 'register' })
  }
  if (!login && rest.from === 'username') {
    throw new TrunksRefusal(`has ${who} whose from is username, without a username`, { field: 'from' })
  }
  const { address, ...settings } = rest
  if (rest.srtp && transportOf(address) !== 'tls') {
    throw new TrunksRefusal(`has ${who} with srtp over a connection that everybody can read: use tls`, {
      field: 'srtp',
    })
  }
  return { ...settings, address: formatUri(address), transport: transportOf(address), login }
}

/** RFC 3263, 4.1, without NAPTR: what the address says, else UDP, or TLS for sips. */
function transportOf({ scheme, params }: SipUri): TrunkTransport {
  const said = params.get('transport')?.toLowerCase()
  if (scheme === 'sips') return 'tls'
  return trunkTransports.find((one) => one === said) ?? 'udp'
}

function whoIs(given: object, index: number): string {
  const name = 'name' in given && fields.name.read(given.name)
  return name && 'value' in name ? `a trunk "${name.value}"` : `a trunk (number ${index + 1})`
}

/** The message of JSON.parse quotes the text around a mistake, which may be a password. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new TrunksRefusal('must be JSON: look for a missing quote, comma or bracket')
  }
}

function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new TrunksRefusal(`names a file that cannot be read (${path})`, { cause })
  }
}
