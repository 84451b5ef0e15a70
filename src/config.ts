/** The configuration: the settings of the environment, read, completed with defaults, and checked against each other. */
import { resolve } from 'node:path'
import { ConfigError } from './config/readers.ts'
import { settings } from './config/settings.ts'
import { isLoopbackHost } from './kit/networks.ts'
import type { BucketSettings } from './recordings/storage/s3-client.ts'

type Values = { -readonly [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['read']> }

export type Config = ReturnType<typeof readConfig>

/** Reads the environment, fills defaults, refuses contradictions and freezes. */
export function readConfig(env: Record<string, string | undefined>) {
  const values = readValues(env)
  const loopback = isLoopbackHost(values.HOST)
  const publicHost = values.PUBLIC_URL && new URL(values.PUBLIC_URL).hostname
  const localOnly = loopback && (publicHost === undefined || isLoopbackHost(publicHost))
  if (values.SMTP_URL && !values.MAIL_FROM) {
    throw new ConfigError('SMTP_URL is set but MAIL_FROM is not: say which address our mail comes from.')
  }
  if (values.PUBLIC_URL && new URL(values.PUBLIC_URL).search !== '') {
    throw new ConfigError('PUBLIC_URL must not have a query string.')
  }
  if ((values.HTTP_TLS_CERT === undefined) !== (values.HTTP_TLS_KEY === undefined)) {
    throw new ConfigError('HTTPS needs both HTTP_TLS_CERT and HTTP_TLS_KEY.')
  }
  if (values.TURN_URLS.some((url) => url.startsWith('turn')) && !values.TURN_SECRET) {
    throw new ConfigError('TURN_URLS needs TURN_SECRET, the static-auth-secret of the TURN server.')
  }
  const everywhere = values.SIP_HOST === '0.0.0.0' || values.SIP_HOST === '::'
  if (everywhere && !values.SIP_PUBLIC_HOST) {
    throw new ConfigError('SIP_HOST is every address: say in SIP_PUBLIC_HOST which one phones are to use.')
  }
  if (
    (values.SIP_TLS_PORT !== undefined || values.SIP_TLS_CERT) &&
    !(values.SIP_TLS_CERT && values.SIP_TLS_KEY)
  ) {
    throw new ConfigError('SIP over TLS needs both SIP_TLS_CERT and SIP_TLS_KEY.')
  }
  if (values.PAYMENT_GATEWAY === 'asaas' && !(values.ASAAS_API_KEY && values.ASAAS_WEBHOOK_TOKEN)) {
    throw new ConfigError('PAYMENT_GATEWAY=asaas needs both ASAAS_API_KEY and ASAAS_WEBHOOK_TOKEN.')
  }
  // D480: in the sandbox anybody can "pay".
  const usesSandbox = values.TRUNKS === undefined
  if (!usesSandbox && values.PAYMENT_GATEWAY === undefined) {
    throw new ConfigError(
      'TRUNKS is set but PAYMENT_GATEWAY is not: name who collects payments, or set PAYMENT_GATEWAY=sandbox if calls over the carrier may be had for nothing.',
    )
  }
  if (values.SECRET_KEY_PREVIOUS && !values.SECRET_KEY) {
    throw new ConfigError('SECRET_KEY_PREVIOUS is set but SECRET_KEY, the key that follows it, is not.')
  }
  const isVoiceOnly = values.ROLES.join() === 'voice'
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    httpTls: tlsFiles(values.HTTP_TLS_CERT, values.HTTP_TLS_KEY),
    /** Whether this process serves the console. */
    console: values.CONSOLE === 'on' && values.ROLES.includes('api'),
    /** Whether the service has one, which may be served by other processes: mails link to it. */
    hasConsole: values.CONSOLE === 'on',
    roles: values.ROLES,
    dataDir: resolve(values.DATA_DIR),
    runAsRoot: values.RUN_AS_ROOT,
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    databaseCallPool: values.DATABASE_CALL_POOL,
    databaseSearchPool: values.DATABASE_SEARCH_POOL,
    redisUrl: values.REDIS_URL,
    secretKey: values.SECRET_KEY,
    secretKeyPrevious: values.SECRET_KEY_PREVIOUS,
    rateLimits: values.RATE_LIMITS === 'on',
    maxRequests: values.MAX_REQUESTS,
    trustProxy: values.TRUST_PROXY,
    strictPaging: values.STRICT_PAGING,
    strictBodies: values.STRICT_BODIES,
    rateLimitBy: values.RATE_LIMIT_BY,
    accountDomainSuffix: values.ACCOUNT_DOMAIN_SUFFIX,
    accountTimeZone: values.ACCOUNT_TIME_ZONE,
    crmProducts: values.CRM_PRODUCTS,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    voice: {
      host: values.SIP_HOST,
      publicHost: values.SIP_PUBLIC_HOST ?? values.SIP_HOST,
      port: values.SIP_PORT,
      wsPort: values.SIP_WS_PORT,
      tlsPort: values.SIP_TLS_PORT,
      tlsFiles: tlsFiles(values.SIP_TLS_CERT, values.SIP_TLS_KEY),
      rtpPorts: values.RTP_PORTS,
      mediaThreads: values.MEDIA_THREADS,
      mediaSockets: values.MEDIA_SOCKETS,
      soundDscp: values.SOUND_DSCP,
      sipDscp: values.SIP_DSCP,
      mediaSeconds: values.MEDIA_SECONDS,
      autoAnswer: values.AUTO_ANSWER,
      codecs: values.CODECS,
      srtpWithoutTls: values.SRTP_WITHOUT_TLS,
      followsRedirects: values.CALL_FORWARDING === 'on',
      edges: values.SIP_EDGES,
      holdMusic: values.HOLD_MUSIC,
      announcements: values.ANNOUNCEMENTS,
      failureToneSeconds: values.FAILURE_TONE_SECONDS,
      awaySeconds: values.PHONE_AWAY_SECONDS,
      usesSandbox,
      trunks: values.TRUNKS ?? [],
    },
    turn: {
      urls: values.TURN_URLS,
      secret: values.TURN_SECRET,
      /** A credential of the last hour lasts for the longest call. */
      seconds: values.TALK_SECONDS + 3_600,
    },
    callLimits: { ring: values.RING_SECONDS, answer: values.ANSWER_SECONDS, talk: values.TALK_SECONDS },
    callCeilings: {
      perNode: Math.floor((values.RTP_PORTS.to - values.RTP_PORTS.from + 1) / 4),
      attemptsPerMinute: values.CALL_ATTEMPTS,
    },
    accountLimits: {
      callsAtOnce: { extension: values.CALLS_PER_EXTENSION, account: values.CALLS_PER_ACCOUNT },
      callsPerDay: values.CALLS_PER_DAY,
      spendingPerDay: values.SPENDING_PER_DAY,
      newAccount: {
        callsPerDay: values.NEW_CALLS_PER_DAY,
        spendingPerDay: values.NEW_SPENDING_PER_DAY,
      },
      international: values.INTERNATIONAL === 'on',
    },
    integrationCeilings: {
      perUser: values.INTEGRATIONS_PER_USER,
      perAccount: values.INTEGRATIONS_PER_ACCOUNT,
    },
    drainSeconds: values.DRAIN_SECONDS ?? (isVoiceOnly ? 3 * 3600 : 30),
    drainNoticeSeconds: values.DRAIN_NOTICE_SECONDS,
    recordings: placeOf('RECORDINGS', values) ?? { folder: resolve(values.DATA_DIR, 'recordings') },
    mp3Program: values.MP3_PROGRAM,
    dailyFiles: placeOf('DAILY_FILES', values),
    recordingDays: values.RECORDING_DAYS,
    showsKeys: values.KEY_HISTORY === 'shown',
    recordingLostHours: values.RECORDING_LOST_HOURS,
    compactsRecordings: values.RECORDING_FORMAT === 'g711',
    encryptsRecordings: values.RECORDING_ENCRYPTION === 'on',
    callsKeptMonths: values.CALLS_KEPT_MONTHS,
    auditDays: values.AUDIT_DAYS,
    sipTraceDays: values.SIP_TRACE_DAYS,
    idempotencyHours: values.IDEMPOTENCY_HOURS,
    /** In centavos. */
    trialCredit: values.TRIAL_CREDIT,
    /** What leaves the machine over a carrier costs money, so trial credit needs more than an e-mail there. */
    trialProof: values.TRIAL_PROOF ?? (usesSandbox ? ('email' as const) : ('tax-id' as const)),
    lowBalance: values.LOW_BALANCE,
    paymentGateway: values.PAYMENT_GATEWAY ?? ('sandbox' as const),
    asaas: {
      url: values.ASAAS_URL,
      apiKey: values.ASAAS_API_KEY ?? '',
      webhookToken: values.ASAAS_WEBHOOK_TOKEN ?? '',
    },
    webhooksPerHostSecond: values.WEBHOOKS_PER_HOST_SECOND,
    webhookAllowPrivate:
      values.WEBHOOK_ALLOW_PRIVATE ??
      (values.DATABASE_URL === undefined && localOnly && isLoopbackHost(values.SIP_HOST)),
    /** Pages that show what only the operator may see are open on loopback alone. */
    operatorPages: localOnly,
    metricsToken: values.METRICS_TOKEN,
    operatorToken: values.OPERATOR_TOKEN,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
  })
}

const tlsFiles = (cert: string | undefined, key: string | undefined) =>
  cert !== undefined && key !== undefined ? { cert, key } : undefined

/** A folder of this machine, or a bucket with what is needed to reach it. */
export type FilePlace = { folder: string } | { bucket: BucketSettings }

function placeOf(name: 'RECORDINGS' | 'DAILY_FILES', values: Values): FilePlace | undefined {
  const place = values[name]
  if (!place) return undefined
  if ('folder' in place) return { folder: resolve(place.folder) }
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = values
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new ConfigError(`${name}=s3://… needs both AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`)
  }
  return {
    bucket: {
      ...place,
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      sessionToken: values.AWS_SESSION_TOKEN,
      region: values.AWS_REGION,
      endpoint: values.AWS_ENDPOINT_URL_S3 ?? values.AWS_ENDPOINT_URL,
    },
  }
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
