/** Every service below HTTP and the voice node, opened bottom-up. All roles and the operator's commands share them. */
import { createAccountSettings } from '../../accounts/account-settings.ts'
import { createAccounts } from '../../accounts/accounts.ts'
import { createFinancialAccounts } from '../../accounts/financial-accounts.ts'
import { createApiRequests } from '../../accounts/requests/api-requests.ts'
import { createSignups } from '../../accounts/signup.ts'
import { createBilling } from '../../billing/billing.ts'
import type { Config } from '../../config.ts'
import { createContacts } from '../../contacts/contacts.ts'
import type { EngineHost, VoiceEngine } from '../../engine/port.ts'
import { createDailyFiles } from '../../exports/daily-files.ts'
import type { AnyEntry } from '../../http/entry.ts'
import type { listen } from '../../http/server/listening.ts'
import { createIntegrations } from '../../integrations/integrations.ts'
import { createWebhookSecrets } from '../../integrations/webhook-secrets.ts'
import type { SteadyClock } from '../../kit/clock.ts'
import { createOutcomes } from '../../kit/outcomes.ts'
import { type Closers, createClosers } from '../../kit/process/closers.ts'
import { createLog, type Log } from '../../kit/process/log.ts'
import { systemTimers, type Timers } from '../../kit/timers.ts'
import { createLowBalanceNotice } from '../../limits/alerts/low-balance.ts'
import { createTrials } from '../../limits/trials.ts'
import { createPresences } from '../../live/presences.ts'
import { createOutbox } from '../../mail/outbox.ts'
import type { Numbers } from '../../numbers/numbers.ts'
import type { PaymentGateway } from '../../payments/port.ts'
import { watchGateway } from '../../payments/watched.ts'
import { createSuspensions } from '../../placing/suspensions.ts'
import type { RecordingLinks } from '../../recordings/recording-links.ts'
import type { RecordingStore } from '../../recordings/storage/port.ts'
import { watchStore } from '../../recordings/storage/watched.ts'
import { createReportSubscriptions } from '../../reports/report-subscriptions.ts'
import { createIdempotency } from '../../store/idempotency.ts'
import { createLiveHints } from '../../store/notices/live-hints.ts'
import { createNotices } from '../../store/notices/notices.ts'
import { openStore } from '../../store/open-store.ts'
import { createSecretKeys } from '../../store/secrets/key-files.ts'
import { openVault } from '../../store/secrets/open-vault.ts'
import { createStoredKeys } from '../../store/secrets/stored-keys.ts'
import type { StartingDatabase } from '../../store/start-database.ts'
import type { Passwords } from '../../users/passwords/passwords.ts'
import { createWebhooks, type Receivers } from '../../webhooks/webhooks.ts'
import { createLiveService } from '../live.ts'
import { createAddresses } from '../process/addresses.ts'
import { createReactions, type Reactions } from '../reactions.ts'
import { chooseDailyFiles, chooseGateway, chooseMailTransport, chooseRecordingStore } from './adapters.ts'
import { createCallServices, createLinksToRecordings } from './call-services.ts'
import { createExtensionServices } from './extension-services.ts'
import { createLimitServices, type LimitServices } from './limits.ts'
import { createReportServices } from './report-services.ts'
import { createStatusServices } from './status-services.ts'
import { createTrunkServices } from './trunk-services.ts'
import { createUserServices } from './user-services.ts'

/** What a test, or a command, puts in place of the real part. */
export type Overrides = {
  /** The time of the service; by default the database's (D515). */
  clock?: SteadyClock | undefined
  /** Clock of this machine. */
  machineClock?: SteadyClock
  timers?: Timers
  log?: Log
  /** The database, if it was started already. */
  database?: StartingDatabase
  routes?: AnyEntry[]
  engine?: ((host: EngineHost) => VoiceEngine) | undefined
  gateway?: PaymentGateway
  passwords?: Passwords
  /** D554: where recordings are stored. */
  recordings?: RecordingStore
  /** The receivers of webhooks. */
  receivers?: Receivers
  /** Lets requests reach this process other than by a port. Returns its address. */
  listen?: typeof listen
}

export async function openServices(config: Config, overrides: Overrides = {}) {
  const log = overrides.log ?? createLog(config.logLevel, { format: config.logFormat })
  const onError = (error: unknown, job?: string) => log.error({ err: error, job }, 'background work failed')
  const closers = createClosers(onError)
  try {
    const base = await openBase({ config, overrides, log, onError, closers })
    const mail = await openMail(config, base, closers)
    const extensions = createExtensionServices(config, base)
    const trunks = createTrunkServices(config, base)
    const limits = createLimitServices({ config, base, outbox: mail.outbox })
    const fromElsewhere = {
      endPhones: extensions.userPhones.end,
      isProven: async (accountId: number) => (await limits.limits.of(accountId)).proof !== undefined,
    }
    const users = createUserServices(config, base, mail.outbox, fromElsewhere, overrides.passwords)
    const money = await openMoney({ config, override: overrides.gateway, base, mail, limits, closers })
    const { numbers } = extensions
    const accounts = createAccountServices({ config, base, mail, users, money, numbers })
    const links = createLinksToRecordings(config, base)
    const webhooks = createWebhookServices({
      config,
      base,
      links,
      reactions: money.reactions,
      closers,
      receivers: overrides.receivers,
    })
    const recordingKey = base.storedKeys.get('recordings')
    const store =
      overrides.recordings ?? (await chooseRecordingStore(config, { key: recordingKey, clock: base.clock }))
    const calls = createCallServices({
      config,
      base,
      store: watchStore(store, base.outcomes.recordings),
      credit: money.credit,
      guard: limits.guard,
      links,
      webhooks: webhooks.webhooks,
      reactions: money.reactions,
      settings: accounts.settings,
    })
    const files = await chooseDailyFiles(config)
    const live = createLiveService({
      base,
      callers: users.callers,
      ledger: money.ledger,
      charges: money.charges,
      extensions: extensions.extensions,
    })
    closers.add(async () => live.stop())
    const suspensions = createSuspensions({
      db: base.db,
      callsDb: base.callsDb,
      clock: base.clock,
      callers: users.callers,
      tokens: users.tokens,
      accountPhones: extensions.accountPhones,
      outbox: mail.outbox,
    })
    return {
      base,
      live,
      presences: createPresences(base),
      mail,
      users,
      limits,
      money,
      accounts,
      extensions,
      trunks,
      webhooks,
      calls,
      contacts: createContacts(base),
      dailyFiles:
        files &&
        createDailyFiles({
          db: base.db,
          log,
          files,
          callListing: calls.listing,
          recordingLinks: links,
          charges: money.charges,
        }),
      reports: createReportServices({
        config,
        base,
        outbox: mail.outbox,
        callListing: calls.listing,
        callResults: calls.results,
        ledger: money.ledger,
      }),
      suspensions,
      status: createStatusServices({ config, base, trunks: trunks.stored, webhooks: webhooks.webhooks }),
      close: closers.close,
    }
  } catch (error) {
    await closers.close()
    throw error
  }
}
export type Services = Awaited<ReturnType<typeof openServices>>
type Base = Awaited<ReturnType<typeof openBase>>
type Mail = Awaited<ReturnType<typeof openMail>>
type UserServices = ReturnType<typeof createUserServices>
type Money = Awaited<ReturnType<typeof openMoney>>

type BaseDeps = {
  config: Config
  overrides: Overrides
  log: Log
  onError: (error: unknown, job?: string) => void
  closers: Closers
}

async function openBase({ config, overrides, log, onError, closers }: BaseDeps) {
  const timers = overrides.timers ?? systemTimers
  closers.add(() => log.flush())
  const store = await openStore(config, log, overrides.database, overrides.machineClock)
  const clock = overrides.clock ?? store.clock
  closers.add(store.close)
  const { db, callsDb, eventsDb, searches } = store
  const keys = createSecretKeys(config)
  const vault = await openVault(db, keys)
  const storedKeys = createStoredKeys({ db, vault })
  // Links that were sent before the key was stored stay valid.
  await storedKeys.load('recording links', () => vault.signingKey('recording link'))
  await storedKeys.load('recordings')
  await storedKeys.load('calls between nodes')
  const notices = createNotices(store.connection, log)
  closers.add(notices.stop)
  const liveHints = createLiveHints({ db, notices, log })
  closers.add(liveHints.flush)
  const idempotency = createIdempotency({ db, clock, vault, hours: config.idempotencyHours })
  const addresses = createAddresses(config)
  const outcomes = { payments: createOutcomes(timers), recordings: createOutcomes(timers) }
  return {
    clock,
    timers,
    log,
    onError,
    store,
    db,
    callsDb,
    eventsDb,
    searches,
    keys,
    vault,
    storedKeys,
    notices,
    liveHints,
    idempotency,
    addresses,
    outcomes,
  }
}

async function openMail(config: Config, { db, vault, clock, log }: Base, closers: Closers) {
  const transport = await chooseMailTransport(config, log)
  closers.add(transport.close)
  return { transport, outbox: createOutbox({ db, transport, vault, clock, log }) }
}

type MoneyDeps = {
  config: Config
  override: PaymentGateway | undefined
  base: Base
  mail: Mail
  limits: LimitServices
  closers: Closers
}

async function openMoney({ config, override, base, mail, limits, closers }: MoneyDeps) {
  const { limits: accountLimits, alerts } = limits
  const { db, callsDb, searches, clock, log, vault, notices, liveHints, addresses, onError } = base
  const { gateway: chosen, sandbox } = override
    ? { gateway: override, sandbox: undefined }
    : await chooseGateway(config, { db, clock, log, vault, addresses })
  closers.add(chosen.close)
  const gateway = watchGateway(chosen, base.outcomes.payments)
  /** D480: anybody can "pay" in the sandbox, and it takes every tax id; calls over a carrier cost money. */
  const proves = sandbox === undefined || config.voice.usesSandbox
  const reactions = createReactions({
    limits: accountLimits,
    alerts,
    liveHints,
    proves,
    books: () => ({ trials, grantTrialCredit: billing.ledger.grantTrialCredit }),
  })
  const financial = createFinancialAccounts({
    db,
    clock,
    log,
    gateway,
    onTaxId: reactions.onTaxId,
  })
  const billing = createBilling({
    db,
    callsDb,
    searches,
    clock,
    log,
    notices,
    gateway,
    onError,
    customerOf: financial.customerOf,
    trialCredit: config.trialCredit,
    lowBalance: config.lowBalance,
    onLowBalance: createLowBalanceNotice({ outbox: mail.outbox }),
    ceilingsOf: accountLimits.ceilingsOf,
    onSpendingReached: reactions.onSpendingReached,
    onPaid: reactions.onPaid,
    onRefunded: reactions.onRefunded,
    onChargeChanged: reactions.onChargeChanged,
    onAdjusted: reactions.onAdjusted,
  })
  const trials = createTrials({ clock, proof: config.trialProof, grant: billing.ledger.grantTrialCredit })
  return { gateway, sandbox, financial, trials, reactions, ...billing }
}

type AccountDeps = {
  config: Config
  base: Base
  mail: Mail
  users: UserServices
  money: Money
  numbers: Numbers
}

function createAccountServices({ config, base, mail, users, money, numbers }: AccountDeps) {
  const { db, clock, searches } = base
  const signups = createSignups({
    db,
    clock,
    users: users.users,
    passwords: users.passwords,
    tokens: users.tokens,
    links: users.links,
    confirmations: users.confirmations,
    emailRelease: users.emailRelease,
    outbox: mail.outbox,
    config: {
      accountDomainSuffix: config.accountDomainSuffix,
      accountTimeZone: config.accountTimeZone,
      crmProducts: config.crmProducts,
    },
    onActivated: money.reactions.onActivated,
  })
  const settings = createAccountSettings({
    db,
    clock,
    callers: users.callers,
    maxRecordingDays: config.recordingDays,
    lowBalance: { read: money.ledger.lowBalanceOf, write: money.ledger.setLowBalance },
    monthlyReport: createReportSubscriptions({ clock }),
    hasNumber: numbers.isVerifiedFor,
    onChanged: numbers.onChanged,
  })
  return {
    accounts: createAccounts({ db, clock, searches }),
    apiRequests: createApiRequests({ db, clock, searches }),
    settings,
    signups,
  }
}

type WebhookDeps = {
  config: Config
  base: Base
  links: RecordingLinks
  reactions: Reactions
  closers: Closers
  receivers: Receivers | undefined
}

function createWebhookServices({ config, base, links, reactions, closers, receivers }: WebhookDeps) {
  const { db, clock, searches, timers, log, vault, notices } = base
  const secrets = createWebhookSecrets(vault)
  const allowPrivate = config.webhookAllowPrivate
  const integrations = createIntegrations({
    db,
    clock,
    searches,
    secrets,
    allowPrivate,
    ceilings: config.integrationCeilings,
  })
  const webhooks = createWebhooks({
    db,
    clock,
    searches,
    timers,
    log,
    notices,
    integrations,
    secrets,
    signPayload: links.signPayload,
    allowPrivate,
    perHostSecond: config.webhooksPerHostSecond,
    receivers,
    onAttempts: reactions.onAttempts,
  })
  closers.add(webhooks.stop)
  return { integrations, webhooks }
}
