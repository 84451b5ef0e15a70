/**
 * Every setting: its name in the environment, how it is read, its default and what it is for.
 * `docs/configuration.md` shows this table (a test keeps the two equal). Secrets have no default.
 */
import { isIP } from 'node:net'
import { resolve } from 'node:path'

/** A setting that cannot be used as given; the message is one sentence for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

type Reader<T> = (text: string) => T

type Setting<T> = {
  /** As shown in the documentation; the empty string means "not set". */
  fallback: string
  about: string
  read: Reader<T>
}

function setting<T>(fallback: string, read: Reader<T>, about: string): Setting<T> {
  return { fallback, about, read }
}

const optional =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (text) =>
    text === '' ? undefined : read(text)

const text: Reader<string> = (value) => value

function oneOf<const T extends string>(...choices: T[]): Reader<T> {
  return (value) => {
    const found = choices.find((choice) => choice === value)
    if (found === undefined) throw new ConfigError(`must be one of ${choices.join(', ')}`)
    return found
  }
}

function whole(least: number, most: number): Reader<number> {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= least && number <= most)) {
      throw new ConfigError(`must be a whole number from ${least} to ${most}`)
    }
    return number
  }
}

const yesNo: Reader<boolean> = (value) => oneOf('true', 'false')(value) === 'true'

function url(...protocols: string[]): Reader<string> {
  return (value) => {
    const parsed = URL.canParse(value) ? new URL(value) : undefined
    if (!parsed || !protocols.includes(parsed.protocol)) {
      throw new ConfigError(`must be a URL starting with ${protocols.map((p) => `${p}//`).join(' or ')}`)
    }
    return value
  }
}

const list: Reader<string[]> = (value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const proxies: Reader<string[]> = (value) => {
  const items = list(value)
  for (const item of items) {
    const [address = '', bits, ...rest] = item.split('/')
    const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    const bitsFit = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest)
    if (longest < 0 || rest.length > 0 || !bitsFit) {
      throw new ConfigError('must be addresses or networks such as 10.0.0.1, 10.0.0.0/8')
    }
  }
  return items
}

const domainSuffix: Reader<string> = (value) => {
  if (!/^(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/.test(value) || value.length > 180) {
    throw new ConfigError('must be a dot and a lower-case domain, such as .calls.example')
  }
  return value
}

const timeZone: Reader<string> = (value) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
  } catch (cause) {
    throw new ConfigError('must be a time zone name such as America/Sao_Paulo', { cause })
  }
}

const secretKey: Reader<Buffer> = (value) => {
  if (!/^[0-9a-f]{64}$/i.test(value)) throw new ConfigError('must be 64 hexadecimal digits (32 random bytes)')
  return Buffer.from(value, 'hex')
}

const emailAddress: Reader<string> = (value) => {
  if (!/^[^@]{0,200}[^\s@]+@[^\s@]+$/.test(value)) throw new ConfigError('must be an e-mail address')
  return value
}

const crmProducts =
  'Pipedrive,HubSpot,RD Station,Salesforce,Zoho,Bitrix24,Kommo,Ploomes,Agendor,Moskit,PipeRun,Outros'

export const settings = {
  HOST: setting('127.0.0.1', text, 'Address the HTTP server listens on.'),
  PORT: setting('3000', whole(0, 65_535), 'Port of the HTTP server; 0 takes any free one.'),
  PUBLIC_URL: setting(
    '',
    optional(url('http:', 'https:')),
    'How the outside reaches the service, used in links. Default: made from HOST and PORT.',
  ),
  DATA_DIR: setting('./data', text, 'Folder of the embedded database and of generated secrets.'),
  DATABASE_URL: setting(
    '',
    optional(url('postgres:', 'postgresql:')),
    'A PostgreSQL 15 or newer to use in place of the embedded one. Its database must be UTF-8.',
  ),
  DATABASE_POOL: setting('12', whole(2, 200), 'Database connections one process may hold.'),
  REDIS_URL: setting(
    '',
    optional(url('redis:', 'rediss:')),
    'A Redis or Valkey that counts rate limits for all processes. Default: each process counts for itself.',
  ),
  SECRET_KEY: setting(
    '',
    optional(secretKey),
    'Key (64 hexadecimal digits) that seals what is kept encrypted. Default: made at first start in DATA_DIR, readable by its owner only.',
  ),
  RATE_LIMITS: setting('on', oneOf('on', 'off'), 'Whether requests are limited; off is for benchmarks.'),
  TRUST_PROXY: setting(
    '',
    proxies,
    'Addresses or networks of proxies whose X-Forwarded-For is believed, comma-separated.',
  ),
  LENIENT_PAGING: setting('false', yesNo, 'Whether a missing page parameter means page 1 (D21).'),
  ACCOUNT_DOMAIN_SUFFIX: setting(
    '.ramal.localhost',
    domainSuffix,
    'What every account domain ends with (D57).',
  ),
  ACCOUNT_TIME_ZONE: setting('America/Sao_Paulo', timeZone, 'Time zone of new accounts.'),
  CRM_PRODUCTS: setting(crmProducts, list, 'Values signup accepts as crm (D57), comma-separated.'),
  SMTP_URL: setting(
    '',
    optional(url('smtp:', 'smtps:')),
    'Mail server, such as smtp://user:password@mail.example:587. Default: mail is kept in the development mailbox.',
  ),
  MAIL_FROM: setting('', optional(emailAddress), 'Sender of our mail; needed with SMTP_URL.'),
  METRICS_TOKEN: setting(
    '',
    optional(text),
    'Token that opens /metrics. Default: /metrics is open while HOST is a loopback address, else closed.',
  ),
  LOG_LEVEL: setting('info', oneOf('debug', 'info', 'warn', 'error', 'silent'), 'How much goes to the log.'),
} as const

type Values = { -readonly [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['read']> }

export type Config = ReturnType<typeof readConfig>

/** Reads the environment, fills defaults, refuses contradictions and freezes. */
export function readConfig(env: Record<string, string | undefined>) {
  const values = readValues(env)
  const loopback = isLoopback(values.HOST)
  if (values.SMTP_URL && !values.MAIL_FROM) {
    throw new ConfigError('SMTP_URL is set but MAIL_FROM is not: say which address our mail comes from.')
  }
  if (values.PUBLIC_URL && new URL(values.PUBLIC_URL).search !== '') {
    throw new ConfigError('PUBLIC_URL must not have a query string.')
  }
  if (!values.CRM_PRODUCTS.includes('Outros')) {
    throw new ConfigError('CRM_PRODUCTS must contain Outros: signup forms rely on it.')
  }
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    redisUrl: values.REDIS_URL,
    secretKey: values.SECRET_KEY,
    rateLimits: values.RATE_LIMITS === 'on',
    trustProxy: values.TRUST_PROXY,
    lenientPaging: values.LENIENT_PAGING,
    accountDomainSuffix: values.ACCOUNT_DOMAIN_SUFFIX,
    accountTimeZone: values.ACCOUNT_TIME_ZONE,
    crmProducts: values.CRM_PRODUCTS,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    /** Pages that show what only the operator may see are open on loopback alone. */
    operatorPages: loopback,
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL,
  })
}

function readValues(env: Record<string, string | undefined>): Values {
  const values: Record<string, unknown> = {}
  for (const [name, { fallback, read }] of Object.entries(settings)) {
    const given = env[name]?.trim()
    try {
      values[name] = read(given === undefined || given === '' ? fallback : given)
    } catch (cause) {
      if (!(cause instanceof ConfigError)) throw cause
      throw new ConfigError(`${name} ${cause.message}.`, { cause })
    }
  }
  return values as Values
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
