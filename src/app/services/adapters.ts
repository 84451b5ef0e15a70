/**
 * Chooses the adapter behind each port by the settings. What only some operators need (SMTP, Redis, Asaas) is loaded only
 * for them: an unused library costs memory and start-up time.
 */
import { createSecretKey } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { windowSeconds } from '../../contract/limits.ts'
import { createEmbeddedEngine } from '../../engine/embedded/engine.ts'
import type { EngineHost, VoiceEngine } from '../../engine/port.ts'
import { createMemoryRateCounters, type RateCounters } from '../../http/limits/rate-counters.ts'
import { webhookPath } from '../../http/routes/money/payments.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Log } from '../../kit/process/log.ts'
import type { Timers } from '../../kit/timers.ts'
import type { Vault } from '../../kit/vault.ts'
import { createMailboxTransport } from '../../mail/mailbox.ts'
import type { PaymentGateway } from '../../payments/port.ts'
import { createSandboxGateway, type SandboxGateway } from '../../payments/sandbox/sandbox.ts'
import { createCompactStore } from '../../recordings/storage/compact.ts'
import { createRecordingCipher } from '../../recordings/storage/encryption.ts'
import { createFolderStore } from '../../recordings/storage/folder.ts'
import type { PlainFiles } from '../../recordings/storage/plain-files.ts'
import type { RecordingStore } from '../../recordings/storage/port.ts'
import type { Database } from '../../store/database.ts'
import type { StoredKeys } from '../../store/secrets/stored-keys.ts'
import type { Addresses } from '../process/addresses.ts'

/** Without a mail server, mail stays in the development mailbox. */
export async function chooseMailTransport({ smtpUrl, mailFrom }: Config, log: Log) {
  if (!smtpUrl) return createMailboxTransport(log)
  const { createSmtpTransport } = await import('../../mail/smtp.ts')
  return createSmtpTransport(smtpUrl, mailFrom ?? '')
}

type GatewayDeps = { db: Database; clock: Clock; log: Log; vault: Vault; addresses: Addresses }

/** `sandbox` is set if the gateway is the built-in one, which has a payment page and jobs of its own. */
export async function chooseGateway(
  { paymentGateway, asaas }: Config,
  { db, clock, log, vault, addresses }: GatewayDeps,
): Promise<{ gateway: PaymentGateway; sandbox?: SandboxGateway }> {
  if (paymentGateway === 'asaas') {
    const { createAsaasGateway } = await import('../../payments/asaas/asaas.ts')
    return { gateway: createAsaasGateway(asaas) }
  }
  const sandbox = createSandboxGateway({
    db,
    clock,
    log,
    vault,
    siteUrl: addresses.publicUrl,
    webhookTrust: addresses.localTrust,
    webhookUrl: () => `${addresses.localUrl()}${webhookPath({ name: paymentGateway })}`,
  })
  return { gateway: sandbox, sandbox }
}

/** Without Redis each process counts for itself. Undefined if requests are not limited. */
export async function chooseRateCounters(
  { rateLimits, redisUrl }: Config,
  { clock, log }: { clock: Clock; log: Log },
): Promise<RateCounters | undefined> {
  if (!rateLimits) return undefined
  const windowMs = windowSeconds * 1000
  const memory = createMemoryRateCounters(clock, windowMs)
  if (!redisUrl) return memory
  const { createRedisRateCounters } = await import('../../http/limits/redis-rate-counters.ts')
  return createRedisRateCounters({ url: redisUrl, windowMs, fallback: memory, log })
}

/** D258: recordings in a bucket need an HTTP client of their own; in a folder none. */
export async function chooseRecordingStore(
  { recordings, encryptsRecordings: encrypts, compactsRecordings }: Config,
  { key, clock }: { key: Buffer; clock: Clock },
): Promise<RecordingStore> {
  const cipher = createRecordingCipher(key)
  if ('folder' in recordings) {
    return createCompactStore(createFolderStore(recordings.folder, { cipher, encrypts }), compactsRecordings)
  }
  const { createBucketStore } = await import('../../recordings/storage/bucket.ts')
  return createCompactStore(
    createBucketStore(recordings.bucket, { cipher, encrypts, clock }),
    compactsRecordings,
  )
}

/** D585. Undefined if there are no daily files. */
export async function chooseDailyFiles({ dailyFiles }: Config): Promise<PlainFiles | undefined> {
  if (!dailyFiles) return undefined
  const { createBucketFiles, createFolderFiles } = await import('../../recordings/storage/plain-files.ts')
  return 'folder' in dailyFiles
    ? createFolderFiles(dailyFiles.folder)
    : createBucketFiles(dailyFiles.bucket, 'application/x-ndjson')
}

type EngineDeps = {
  clock: Clock
  timers: Timers
  log: Log
  vault: Vault
  storedKeys: StoredKeys
  /** The id of this process. */
  node: string
}

export function chooseEngine(
  config: Config,
  { clock, timers, log, vault, storedKeys, node: id }: EngineDeps,
): (host: EngineHost) => VoiceEngine {
  const digestKey = createSecretKey(vault.sign('SIP nonces', ''))
  const node = { id, key: () => storedKeys.get('calls between nodes') }
  const spoolFolder = join(config.dataDir, 'spool')
  return (host) =>
    createEmbeddedEngine({ settings: config.voice, spoolFolder, digestKey, clock, timers, log, node }, host)
}
