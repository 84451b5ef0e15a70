/** How a setting is read from text, or what is wrong with it in one sentence for the operator. */
import { isIP } from 'node:net'
import { parseTrunks } from '../engine/trunk-settings/parse-trunks.ts'
import { TrunksRefusal } from '../engine/trunk-settings/read-fields.ts'
import type { TrunkSettings } from '../engine/trunk-settings/trunk-settings.ts'
import { isNetwork } from '../kit/networks.ts'
import { postgresUrls } from '../kit/postgres-urls.ts'
import { type Centavos, readCentavos } from '../kit/text/money.ts'
import { readTimeZone } from '../kit/text/time-zone.ts'
import { type CodecName, codecNames, g711Names } from '../media/codecs/registry.ts'

/** A setting that cannot be used as given; the message is one sentence for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** What a setting takes, where that is a list or a range; a release keeps both (D537). */
export type Accepted = { choices: readonly string[] } | { min: number; max: number }

export type Reader<T> = ((text: string) => T) & { accepted?: Accepted }

export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  const readIfSet = (text: string) => (text === '' ? undefined : read(text))
  return Object.assign(readIfSet, read.accepted && { accepted: read.accepted })
}

export const text: Reader<string> = (value) => value

const minTokenLength = 24

/** D320: too long to be guessed over the network. */
export const operatorToken: Reader<string> = (value) => {
  if (value.length < minTokenLength) throw new ConfigError(`must have at least ${minTokenLength} characters`)
  return value
}

export function oneOf<const T extends string>(...choices: T[]): Reader<T> {
  const read = (value: string) => {
    const found = choices.find((choice) => choice === value)
    if (found === undefined) throw new ConfigError(`must be one of ${choices.join(', ')}`)
    return found
  }
  return Object.assign(read, { accepted: { choices } })
}

export function whole(min: number, max: number): Reader<number> {
  const read = (value: string) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= min && number <= max)) {
      throw new ConfigError(`must be a whole number from ${min} to ${max}`)
    }
    return number
  }
  return Object.assign(read, { accepted: { min, max } })
}

const trueOrFalse = oneOf('true', 'false')

export const yesNo: Reader<boolean> = Object.assign(
  (value: string) => trueOrFalse(value) === 'true',
  trueOrFalse.accepted && { accepted: trueOrFalse.accepted },
)

export function url(...protocols: string[]): Reader<string> {
  return (value) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined
    if (!parsed || !protocols.includes(parsed.protocol)) {
      throw new ConfigError(`must be a URL starting with ${protocols.map((p) => `${p}//`).join(' or ')}`)
    }
    return value
  }
}

/** One server or several (D635). */
export const postgresUrl: Reader<string> = (value) => {
  for (const one of postgresUrls(value)) url('postgres:', 'postgresql:')(one)
  return value
}

export const reais: Reader<Centavos> = (value) => {
  const amount = readCentavos(value)
  if (amount === undefined || amount < 0) throw new ConfigError('must be an amount in reais such as 10.00')
  return amount
}

export const list: Reader<string[]> = (value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const roleNames = ['api', 'worker', 'voice'] as const

type Role = (typeof roleNames)[number]

export const roles: Reader<Role[]> = (value) => {
  const given = list(value)
  const known = roleNames.filter((role) => given.includes(role))
  if (known.length === 0 || new Set(given).size !== known.length) {
    throw new ConfigError(`must be one or more of ${roleNames.join(', ')}, comma-separated`)
  }
  return known
}

export const proxies: Reader<string[]> = (value) => {
  const items = list(value)
  if (!items.every(isNetwork)) {
    throw new ConfigError('must be addresses or networks such as 10.0.0.1, 10.0.0.0/8')
  }
  return items
}

export const iceUrls: Reader<string[]> = (value) => {
  const items = list(value)
  if (!items.every((item) => /^(stun|turn)s?:[\w.-]+(:\d{1,5})?(\?transport=(udp|tcp))?$/.test(item))) {
    throw new ConfigError('must be URLs such as turn:turn.example.com:3478?transport=tcp, comma-separated')
  }
  return items
}

export const ipAddress: Reader<string> = (value) => {
  if (isIP(value) === 0) throw new ConfigError('must be an address such as 192.0.2.10')
  return value
}

export const portRange: Reader<{ from: number; to: number }> = (value) => {
  const [from = 0, to = 0] = /^\d{1,5}-\d{1,5}$/.test(value) ? value.split('-').map(Number) : []
  if (from < 1024 || to > 65_535 || to - from < 7) {
    throw new ConfigError('must be a range of at least 8 ports from 1024 to 65535, such as 20000-20999')
  }
  return { from, to }
}

/** D624: undefined is the sandbox carrier; an empty list, the trunks that the operator adds. */
export const trunks: Reader<TrunkSettings[] | undefined> = (value) => {
  if (value === '') return undefined
  try {
    return parseTrunks(value)
  } catch (cause) {
    throw cause instanceof TrunksRefusal ? new ConfigError(cause.message, { cause }) : cause
  }
}

/** Without G.711 hardly anybody could be called. */
export const codecs: Reader<CodecName[]> = (value) => {
  const given = list(value).map((item) => item.toUpperCase())
  const known = given.flatMap((item) => codecNames.find((name) => name.toUpperCase() === item) ?? [])
  const isWhole = known.length === given.length && new Set(known).size === given.length
  if (!isWhole || !known.some((name) => g711Names.includes(name))) {
    throw new ConfigError(
      `must be some of ${codecNames.join(', ')}, each once, with ${g711Names.join(' or ')} among them`,
    )
  }
  return known
}

export const domainSuffix: Reader<string> = (value) => {
  if (!/^(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/.test(value) || value.length > 180) {
    throw new ConfigError('must be a dot and a lower-case domain, such as .calls.example')
  }
  return value
}

export const timeZone: Reader<string> = (value) => {
  const name = readTimeZone(value)
  if (name === undefined) throw new ConfigError('must be a time zone name such as America/Sao_Paulo')
  return name
}

export const secretKey: Reader<Buffer> = (value) => {
  if (!/^[0-9a-f]{64}$/i.test(value)) throw new ConfigError('must be 64 hexadecimal digits (32 random bytes)')
  return Buffer.from(value, 'hex')
}

export const emailAddress: Reader<string> = (value) => {
  if (!/^[^@]{0,200}[^\s@]+@[^\s@]+$/.test(value)) throw new ConfigError('must be an e-mail address')
  return value
}

/** A folder, or a bucket with the prefix of the names in it, which ends with a slash unless it is empty. */
type RecordingPlace = { folder: string } | { bucket: string; prefix: string }

export const recordingPlace: Reader<RecordingPlace> = (value) => {
  if (!value.startsWith('s3:')) return { folder: value }
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[\w.-]+\/)*[\w.-]*))?$/.exec(value) ?? []
  if (!bucket || prefix.split('/').some((part) => part === '.' || part === '..')) {
    throw new ConfigError(
      'must be a folder, or s3://bucket/prefix with letters, digits, dots, dashes, underscores and slashes',
    )
  }
  return { bucket, prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/` }
}
