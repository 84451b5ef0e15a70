/**
 * Checks the imports in `src/`:
 *
 * - A module (a folder of `src/`, or a file beside them) imports only from modules below it.
 * - From outside a module only its public files are imported. In most modules these are the files directly in its
 *   folder, but not the SQL (`-store.ts`); files in subfolders, and stores that another module may use, are listed
 *   in `publicFiles`. An adapter behind a port (`closed`) has only the public files listed.
 * - Some modules have layers inside, with the same rule of direction.
 * - A package is imported only by the modules it belongs to, and so is the TypeScript client.
 * - There is no import cycle.
 * - Git ignores no source: a clone would lack it.
 *
 * Tests and their helpers may import any file; `test/` and `bench/` are not checked.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** From top to bottom; a module imports from itself and from those after it. */
const modules = [
  'main',
  'cli',
  'app',
  'config',
  'exports',
  'http',
  'mcp',
  'placing',
  'live',
  'reports',
  'voice',
  'status',
  'nodes',
  'recordings',
  'calls',
  'limits',
  'webhooks',
  'integrations',
  'billing',
  'extensions',
  'contacts',
  'numbers',
  'accounts',
  'users',
  'engine',
  'sip',
  'media',
  'payments',
  'mail',
  'store',
  'filter',
  'contract',
  'kit',
]
/** Modules of which only the files in `publicFiles` may be imported from outside. */
const closed = ['engine', 'payments', 'config']

/** Besides the usual public files of a module. A name that ends with `/` is a folder. */
const publicFiles: Record<string, string[]> = {
  cli: ['accounts/', 'data/', 'demo/demo.ts', 'doctor/doctor.ts', 'phone/phone.ts', 'remote/'],
  app: ['services/services.ts'],
  config: ['config.ts', 'risks.ts'],
  http: [
    'console/',
    'limits/',
    'mcp/',
    'operator/',
    'pages/link-page.ts',
    'reference/',
    'routes/',
    'server/',
  ],
  voice: [
    'fleet/call-notices.ts',
    'fleet/remote-commands.ts',
    'fleet/unclaimed-sweep.ts',
    'sip-traces/pcap.ts',
    'sip-traces/sip-traces.ts',
    'sip-traces/trace-writer.ts',
    'trunks/known-trunks.ts',
    'trunks/stored-trunks.ts',
    'trunks/trunk-changes.ts',
    'trunks/trunk-shares.ts',
    'trunks/trunk-tests.ts',
  ],
  recordings: [
    'copies/mp3-program.ts',
    'copies/recording-copies.ts',
    'peaks/recording-peaks.ts',
    'peaks/sound-form.ts',
    'retention/call-retention.ts',
    'storage/bucket.ts',
    'storage/compact.ts',
    'storage/encryption.ts',
    'storage/folder.ts',
    'storage/plain-files.ts',
    'storage/port.ts',
    'storage/s3-client.ts',
    'storage/try-bucket.ts',
    'storage/watched.ts',
  ],
  calls: [
    'admission/admission.ts',
    'admission/stored-command.ts',
    'admission/unclaimed-store.ts',
    'calls-store.ts',
    'events/end-calls.ts',
    'events/pricing-store.ts',
    'events/store-events.ts',
    'events/transitions-store.ts',
    'statistics/call-statistics.ts',
    'list/counts/call-counts.ts',
    'list/counts/missing-keys.ts',
    'list/call-list.ts',
    'list/list-store.ts',
    'list/live-parties-store.ts',
    'list/live-store.ts',
    'list/listing.ts',
    'missed/missed-calls.ts',
    'results/result.ts',
    'results/results.ts',
    'orphans-store.ts',
  ],
  limits: ['alerts/alerts.ts', 'alerts/low-balance.ts', 'watch/watch.ts'],
  webhooks: [
    'deliveries-store.ts',
    'event-log/event-log.ts',
    'event-log/replay.ts',
    'events-store.ts',
    // For the command-line tools.
    'sending/guard.ts',
    'sending/sender.ts',
  ],
  integrations: ['failures-store.ts', 'integrations-store.ts'],
  billing: [
    'charges/charge.ts',
    'charges/charge-list.ts',
    'charges/charge-transitions.ts',
    'charges/charges.ts',
    'charges/operator-refunds.ts',
    'credit/credit.ts',
    'credit/daily-use.ts',
    'credit/reserving-sql.ts',
    'ledger/adjustments.ts',
    'ledger/ledger.ts',
    'ledger/statement-lines.ts',
    'ledger/statement-list.ts',
    'ledger/verify.ts',
    'tariff/rate.ts',
    'tariff/plan-lines.ts',
    'tariff/rate-changes.ts',
    'tariff/rate-imports.ts',
    'tariff/tariff.ts',
  ],
  extensions: [
    'presences-store.ts',
    'profiles-store.ts',
    'phones/account-phones.ts',
    'phones/ice-servers.ts',
    'phones/phone-addresses.ts',
    'phones/phone-directory.ts',
    'phones/phones.ts',
    'phones/registrations.ts',
    'phones/setup-links.ts',
    'phones/user-phones.ts',
  ],
  numbers: ['number-calls-store.ts'],
  accounts: [
    'account-lookup-store.ts',
    'suspension-store.ts',
    'requests/api-requests.ts',
    'requests/request-list.ts',
  ],
  users: [
    'users-store.ts',
    'audit/acting-operator.ts',
    'audit/audit.ts',
    'audit/audit-list.ts',
    'audit/audit-retention.ts',
    'audit/operator-log.ts',
    'links/confirmations.ts',
    'links/kept-email.ts',
    'links/link.ts',
    'links/link-requests.ts',
    'links/links.ts',
    'login/attempts.ts',
    'login/known-browsers.ts',
    'login/login.ts',
    'login/login-guard.ts',
    'login/look-ins.ts',
    'login/reauthentication.ts',
    'operators/operator.ts',
    'operators/operator-codes.ts',
    'operators/operator-sessions.ts',
    'operators/operator-set-up.ts',
    'operators/operators.ts',
    'passwords/password-changes.ts',
    'passwords/passwords.ts',
    'second-factor/code-check.ts',
    'second-factor/factor-secrets.ts',
    'second-factor/second-factors.ts',
    'tokens/callers.ts',
    'tokens/tokens.ts',
  ],
  engine: [
    'port.ts',
    'embedded/engine.ts',
    'trunk-settings/',
    // For the command-line tools.
    'probe.ts',
    'sandbox/scenarios.ts',
    'endpoint/softphone/softphone.ts',
    'endpoint/audio/audio-source.ts',
    'endpoint/audio/read-audio-source.ts',
    'endpoint/audio/read-wav.ts',
    'endpoint/audio/rtp-analyser.ts',
  ],
  sip: [
    'dialog/leg.ts',
    'dialog/session-description.ts',
    'dialog/user-agent-core.ts',
    'digest/auth-header.ts',
    'digest/server.ts',
    'headers/',
    'message/',
    'parser/parse.ts',
    'sdp/',
    'syntax/',
    'transaction/transactions.ts',
    'transport/flow.ts',
    'transport/message-tap.ts',
    'transport/transports.ts',
    'transport/upgrade.ts',
    'uri/',
    'user-agent/',
  ],
  media: [
    'codecs/',
    'dtls/certificate.ts',
    'ice/ice-lite.ts',
    'relay/player.ts',
    'relay/relay.ts',
    'relay/side.ts',
    'rtp/',
    'secure/security.ts',
    'sound/',
    'srtp/session-keys.ts',
    'thread/messages.ts',
    'thread/port-pool.ts',
    'udp/choose-udp.ts',
  ],
  payments: [
    'port.ts',
    'watched.ts',
    'asaas/asaas.ts',
    'sandbox/sandbox.ts',
    // For the payment page of the sandbox.
    'codes/bank-slip.ts',
    'codes/interleaved.ts',
    'sandbox/cards.ts',
    'sandbox/codes.ts',
    'sandbox/payer.ts',
    'sandbox/payment.ts',
  ],
  store: [
    'backup/backup-file.ts',
    'backup/checksums.ts',
    'batch-store.ts',
    'connection/',
    'embedded/embedded-postgres.ts',
    'embedded/upgrade.ts',
    'open-store.ts',
    'embedded/file-access.ts',
    'notices/',
    'secrets/byte-columns.ts',
    'secrets/key-files.ts',
    'secrets/operator-token.ts',
    'secrets/key-reset.ts',
    'secrets/key-holder.ts',
    'secrets/open-vault.ts',
    'secrets/rotation.ts',
    'secrets/stored-keys.ts',
  ],
  filter: ['sql/', 'where/instant.ts', 'where/raw.ts', 'where/time-zone.ts'],
  contract: ['accounts/', 'calls/', 'money/', 'schema/', 'webhooks/'],
  kit: ['process/', 'text/'],
}

/** The same order inside a folder: its subfolders from top to bottom. Files directly in the folder are below all of them. */
const layers: Record<string, string[]> = {
  sip: [
    'user-agent',
    'dialog',
    'transaction',
    'transport',
    'parser',
    'digest',
    'headers',
    'message',
    'sdp',
    'uri',
    'syntax',
  ],
  'sip/dialog': ['session'],
}
/** Packages that belong to certain modules. */
const packages: Record<string, string[]> = {
  fastify: ['http'],
  helmet: ['http'],
  pg: ['store'],
  ioredis: ['http', 'cli'],
  nodemailer: ['mail'],
  '@node-rs/argon2': ['users'],
  pino: ['kit'],
  ws: ['engine', 'sip'],
  '@evan/opus': ['media'],
  koffi: ['media'],
  undici: ['webhooks', 'payments', 'recordings'],
  aws4fetch: ['recordings'],
  uqr: ['http'],
  marked: ['http'],
}

/** The TypeScript client, below all modules: for those that use a service elsewhere. */
const client = { file: '../clients/typescript/src/index.ts', modules: ['cli'] }

const root = fileURLToPath(new URL('../src/', import.meta.url))
const problems: string[] = []
const imports = new Map<string, string[]>()
const explored = new Set<string>()

for (const file of globSync('**/*.ts', { cwd: root })) {
  const targets = importsOf(file)
  imports.set(
    file,
    targets.filter((target) => target.endsWith('.ts')),
  )
  if (!/\.test\.ts$|testing/.test(file)) for (const target of targets) check(file, target)
}
for (const file of imports.keys()) findCycle(file, [])
for (const file of ignoredFiles()) problems.push(`src/${file} is ignored by git (.gitignore)`)

for (const problem of new Set(problems)) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0

/** None outside of a checkout. */
function ignoredFiles(): string[] {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard']
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return (stdout ?? '').split('\n').filter((line) => line !== '')
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = text.matchAll(
    /(?:^|\n)(?:import|export)[^'"\n]*?(?:\{[^}]*\}[^'"\n]*)?from '([^']+)'|import\('([^']+)'\)/g,
  )
  return [...found].map(([, named, loaded]) => {
    const target = named ?? loaded ?? ''
    return target.startsWith('.') ? relative(root, join(root, dirname(file), target)) : target
  })
}

function moduleOf(file: string): string {
  return file.split('/')[0]?.replace(/\.ts$/, '') ?? file
}

function check(file: string, target: string) {
  const from = modules.indexOf(moduleOf(file))
  if (from < 0) problems.push(`${file}: its module is not listed in tools/arrows.ts`)
  if (!target.endsWith('.ts')) {
    const allowed = packages[target]
    if (allowed && !allowed.includes(moduleOf(file)))
      problems.push(`${file}: ${target} belongs to ${allowed.join(', ')}`)
  } else if (target.startsWith('../')) {
    if (target !== client.file || !client.modules.includes(moduleOf(file)))
      problems.push(`${file} imports ${target}, which is outside of src`)
  } else if (modules.indexOf(moduleOf(target)) < from) {
    problems.push(`${file} imports ${target}, which is above it`)
  } else if (moduleOf(target) !== moduleOf(file) && !isPublic(target)) {
    problems.push(
      `${file} imports ${target}, which is private to its module (publicFiles in tools/arrows.ts)`,
    )
  }
  for (const folder of Object.keys(layers)) checkLayers(folder, file, target)
}

function isPublic(file: string): boolean {
  const module = moduleOf(file)
  const name = file.startsWith(`${module}/`) ? file.slice(module.length + 1) : file
  const listed = (publicFiles[module] ?? []).some((one) =>
    one.endsWith('/') ? name.startsWith(one) : name === one,
  )
  return listed || (!closed.includes(module) && !name.includes('/') && !name.endsWith('-store.ts'))
}

function checkLayers(folder: string, file: string, target: string) {
  if (!file.startsWith(`${folder}/`) || !target.startsWith(`${folder}/`)) return
  const [from, to] = [layerOf(folder, file), layerOf(folder, target)]
  if (from < 0) problems.push(`${file}: its folder is not in the layers of ${folder} (tools/arrows.ts)`)
  if (to < from) problems.push(`${file} imports ${target}, which is in a layer above it`)
}

function layerOf(folder: string, file: string): number {
  const order = layers[folder] ?? []
  const [subfolder = '', ...inside] = file.slice(folder.length + 1).split('/')
  return inside.length === 0 ? order.length : order.indexOf(subfolder)
}

function findCycle(file: string, path: string[]) {
  const at = path.indexOf(file)
  if (at >= 0) problems.push(`import cycle: ${[...path.slice(at), file].join(' > ')}`)
  if (at >= 0 || explored.has(file)) return
  for (const target of imports.get(file) ?? []) findCycle(target, [...path, file])
  explored.add(file)
}
