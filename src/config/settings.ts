/**
 * Every setting: its name in the environment, how it is read, its default and what it is for.
 * `docs/configuration.md` shows this table (a test keeps the two equal). Secrets have no default.
 */
import {
  domainSuffix,
  emailAddress,
  list,
  oneOf,
  operatorToken,
  optional,
  postgresUrl,
  proxies,
  reais,
  roles,
  secretKey,
  text,
  timeZone,
  url,
  whole,
  yesNo,
} from './readers.ts'
import { recordingSettings } from './recording-settings.ts'
import { setting } from './setting.ts'
import { voiceSettings } from './voice-settings.ts'

export const settings = {
  HOST: setting('127.0.0.1', text, 'Address the HTTP server listens on.'),
  PORT: setting('3000', whole(0, 65_535), 'Port of the HTTP server; 0 takes any free one.'),
  PUBLIC_URL: setting(
    '',
    optional(url('http:', 'https:')),
    'How the outside reaches the service, used in links. Default: made from HOST and PORT.',
  ),
  HTTP_TLS_CERT: setting(
    '',
    optional(text),
    'File of the certificate chain (PEM) with which PORT speaks HTTPS; read again when it changes (D290). Default: plain HTTP.',
  ),
  HTTP_TLS_KEY: setting('', optional(text), 'File of the private key (PEM) of HTTP_TLS_CERT.'),
  CONSOLE: setting(
    'on',
    oneOf('on', 'off'),
    'Whether the web console is served at /console; it is built at start when its sources changed (D310).',
  ),
  ROLES: setting(
    'api,worker,voice',
    roles,
    'What this process does, comma-separated: api (the HTTP API), worker (mail, webhooks, payments, clean-up), voice (phones, carriers, calls).',
  ),
  DATA_DIR: setting('./data', text, 'Folder of the embedded database and of generated secrets.'),
  RUN_AS_ROOT: setting(
    'false',
    yesNo,
    'Whether a service that others can reach runs as root, if root starts it and it cannot become the owner of DATA_DIR; else it is refused (D481).',
  ),
  DATABASE_URL: setting(
    '',
    optional(postgresUrl),
    'A PostgreSQL 15 or newer to use in place of the embedded one, without a pooler in between (D261). Its database must be UTF-8. Several servers, a primary and its replicas: postgres://user@one,two/name (D635).',
  ),
  DATABASE_POOL: setting(
    '12',
    whole(2, 200),
    'Database connections of one process for all but calls and searches.',
  ),
  DATABASE_CALL_POOL: setting(
    '6',
    whole(2, 200),
    'Database connections of one process for calls and their credit (D186).',
  ),
  DATABASE_SEARCH_POOL: setting(
    '4',
    whole(1, 200),
    'Database connections of one process for lists and searches (D186).',
  ),
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
  SECRET_KEY_PREVIOUS: setting(
    '',
    optional(secretKey),
    'The key before SECRET_KEY, until `ramal secret rotate` has re-encrypted everything (D207).',
  ),
  RATE_LIMITS: setting('on', oneOf('on', 'off'), 'Whether requests are limited; off is for benchmarks.'),
  MAX_REQUESTS: setting(
    '1000',
    whole(1, 100_000),
    'API requests in progress at once, at most half of them of one account; more are refused with 503 (D228).',
  ),
  TRUST_PROXY: setting(
    '',
    proxies,
    'Addresses or networks of proxies whose X-Forwarded-For is believed, comma-separated.',
  ),
  STRICT_PAGING: setting(
    'false',
    yesNo,
    'Whether a missing page parameter is refused; else it means page 1 (D21).',
  ),
  RATE_LIMIT_BY: setting(
    'address',
    oneOf('address', 'user'),
    'What "all other routes" of the limits count by when a valid token is sent; without one, by address (D103).',
  ),
  STRICT_BODIES: setting(
    'false',
    yesNo,
    'Whether an unknown body field is refused with 422 instead of named in Ignored-Fields (D61).',
  ),
  ACCOUNT_DOMAIN_SUFFIX: setting(
    '.ramal.localhost',
    domainSuffix,
    'What every account domain ends with (D57).',
  ),
  ACCOUNT_TIME_ZONE: setting('America/Sao_Paulo', timeZone, 'Time zone of new accounts.'),
  CRM_PRODUCTS: setting(
    '',
    list,
    'Values that signup accepts as crm besides the products it knows (D156), comma-separated.',
  ),
  SMTP_URL: setting(
    '',
    optional(url('smtp:', 'smtps:')),
    'Mail server, such as smtp://user:password@mail.example:587. Default: mail is kept in the development mailbox.',
  ),
  MAIL_FROM: setting('', optional(emailAddress), 'Sender of our mail; needed with SMTP_URL.'),
  ...voiceSettings,
  CALLS_PER_EXTENSION: setting(
    '10',
    whole(1, 10_000),
    'Calls that one extension may have at once on a process (D176).',
  ),
  CALLS_PER_ACCOUNT: setting(
    '100',
    whole(1, 100_000),
    'Calls that one account may have at once on a process (D176).',
  ),
  CALL_ATTEMPTS: setting(
    '30',
    whole(1, 10_000),
    'Calls that the phone of one extension may dial in a minute; more are refused and not recorded (D177).',
  ),
  CALLS_PER_DAY: setting(
    '10000',
    whole(0, 100_000_000),
    'Calls to the outside that a proven account may place in 24 hours, answered or not (D193).',
  ),
  SPENDING_PER_DAY: setting(
    '1000.00',
    reais,
    'Reais that a proven account may spend on calls in 24 hours (D193).',
  ),
  NEW_CALLS_PER_DAY: setting(
    '200',
    whole(0, 100_000_000),
    'As CALLS_PER_DAY, until a tax id, a payment or the operator proves the account (D195).',
  ),
  NEW_SPENDING_PER_DAY: setting(
    '20.00',
    reais,
    'As SPENDING_PER_DAY, until a tax id, a payment or the operator proves the account (D195).',
  ),
  INTERNATIONAL: setting(
    'off',
    oneOf('on', 'off'),
    'Whether proven accounts may call outside Brazil; `ramal account limits` decides for one account (D194).',
  ),
  DRAIN_SECONDS: setting(
    '',
    optional(whole(0, 86_400)),
    'How long a stop waits for live calls to end by themselves; a second signal waits no longer. Default: 30, with ROLES=voice 10800 (D248).',
  ),
  DRAIN_NOTICE_SECONDS: setting(
    '5',
    whole(0, 600),
    'How long a stop still serves after /ready reports draining, so that a balancer sends requests elsewhere; there is no wait if /ready was not requested in the last minute (D222).',
  ),
  ...recordingSettings,
  KEY_HISTORY: setting(
    'hidden',
    oneOf('hidden', 'shown'),
    'Keys pressed in calls, in the record of the call: hidden (only when, by whom and how many), or shown. They may be those of a card or a password.',
  ),
  CALLS_KEPT_MONTHS: setting(
    '',
    optional(whole(1, 1_200)),
    'How many whole months calls are kept besides the current one, with their recordings; older ones are removed for good (D253). Default: for ever.',
  ),
  SIP_TRACE_DAYS: setting(
    '3',
    whole(0, 30),
    'How long the SIP messages of calls are kept for the operator, with secrets cut (D660). 0: none are collected.',
  ),
  AUDIT_DAYS: setting('400', whole(1, 36_500), 'How long entries of the audit log are kept (D212).'),
  IDEMPOTENCY_HOURS: setting(
    '24',
    whole(1, 8_760),
    'How long the answer to a request with an Idempotency-Key is kept and repeated (D18).',
  ),
  WEBHOOK_ALLOW_PRIVATE: setting(
    '',
    optional(yesNo),
    'Whether webhooks may be at private addresses, for development (D88). Default: true with the embedded database while HOST, SIP_HOST and PUBLIC_URL are loopback addresses, else false.',
  ),
  INTEGRATIONS_PER_USER: setting('50', whole(1, 1_000), 'Integrations that one user may have (D198).'),
  INTEGRATIONS_PER_ACCOUNT: setting(
    '200',
    whole(1, 100_000),
    'Integrations that all users of an account may have together (D198).',
  ),
  WEBHOOKS_PER_HOST_SECOND: setting(
    '100',
    whole(20, 100_000),
    'Webhook requests a second of one account to one host; more wait (D198).',
  ),
  TRIAL_CREDIT: setting('10.00', reais, 'Reais that a new account begins with (D41).'),
  TRIAL_PROOF: setting(
    '',
    optional(oneOf('email', 'tax-id')),
    'What an account must prove before it gets trial credit (D196). Default: email with the sandbox carrier, tax-id with TRUNKS.',
  ),
  LOW_BALANCE: setting(
    '5.00',
    reais,
    'Reais below which the balance of an account counts as low, unless it sets its own threshold (D326).',
  ),
  PAYMENT_GATEWAY: setting(
    '',
    optional(oneOf('sandbox', 'asaas')),
    'Who collects payments (D30): sandbox, which is part of the service and takes no money, or asaas. Needed with TRUNKS (D480). Default: sandbox.',
  ),
  ASAAS_API_KEY: setting('', optional(text), 'Key of the Asaas API; needed with PAYMENT_GATEWAY=asaas.'),
  ASAAS_WEBHOOK_TOKEN: setting(
    '',
    optional(text),
    'Token that Asaas sends to our webhook; needed with PAYMENT_GATEWAY=asaas.',
  ),
  ASAAS_URL: setting(
    'https://api.asaas.com/v3',
    url('http:', 'https:'),
    'Where the Asaas API is; its sandbox is at https://api-sandbox.asaas.com/v3.',
  ),
  METRICS_TOKEN: setting(
    '',
    optional(text),
    'Token that opens /metrics and nothing else, besides the operator token (D109).',
  ),
  OPERATOR_TOKEN: setting(
    '',
    optional(operatorToken),
    'The operator token, of at least 24 characters: it opens the operator console at /operator, where it is typed once in 12 hours, the development mailbox and /metrics (D109, D320). Default: one that is made in DATA_DIR/operator-token and printed in the links at the start, while HOST and PUBLIC_URL are loopback addresses; else these pages are closed, except to operators who log in by name (D648).',
  ),
  LOG_LEVEL: setting('info', oneOf('debug', 'info', 'warn', 'error', 'silent'), 'How much goes to the log.'),
  LOG_FORMAT: setting(
    'auto',
    oneOf('auto', 'pretty', 'json'),
    'pretty: lines for people; json: one JSON object a line; auto: pretty at a terminal, json elsewhere.',
  ),
} as const
