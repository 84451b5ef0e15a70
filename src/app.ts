/** The whole service, put together: the only file that knows every room. */
import { createSecretKey } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccounts } from './accounts/accounts.ts'
import { createFinancialAccounts } from './accounts/financial-accounts.ts'
import { createSignups } from './accounts/signup.ts'
import { createBilling } from './billing/billing.ts'
import { createCalls } from './calls/calls.ts'
import { createCallCounts } from './calls/list/call-counts.ts'
import { createCallListing } from './calls/list/listing.ts'
import { createRecordingLinks } from './calls/recordings/recording-links.ts'
import { createRecordings } from './calls/recordings/recordings.ts'
import type { Config } from './config.ts'
import { windowSeconds } from './contract/limits.ts'
import { createEmbeddedEngine } from './engine/embedded/engine.ts'
import type { EngineHost, ExtensionName, VoiceEngine } from './engine/port.ts'
import { createExtensions } from './extensions/extensions.ts'
import { createPhones } from './extensions/phones.ts'
import { createExtensionProfiles } from './extensions/profiles.ts'
import { createRegistrations } from './extensions/registrations.ts'
import { addEntries } from './http/add-entries.ts'
import { type AnyEntry, basePath } from './http/entry.ts'
import { createMemoryRateCounters } from './http/limits/rate-counters.ts'
import { createMetrics } from './http/operator/metrics.ts'
import { addOperatorRoutes } from './http/operator/operator-routes.ts'
import { addApiReference, withDescription } from './http/reference/api-reference.ts'
import { accountRoutes } from './http/routes/accounts.ts'
import { callListRoutes } from './http/routes/call-list.ts'
import { callRoutes } from './http/routes/calls.ts'
import { chargeRoutes } from './http/routes/charges.ts'
import { creditRoutes } from './http/routes/credits.ts'
import { eventRoutes } from './http/routes/events.ts'
import { extensionRoutes } from './http/routes/extensions.ts'
import { financialRoutes } from './http/routes/financial.ts'
import { integrationRoutes } from './http/routes/integrations.ts'
import { addGatewayWebhook, addPaymentPage, webhookPath } from './http/routes/payments.ts'
import { tokenRoutes } from './http/routes/tokens.ts'
import { userRoutes } from './http/routes/users.ts'
import { drain, listen, urlOf } from './http/server/listening.ts'
import { createServer } from './http/server/server.ts'
import { createIntegrations } from './integrations/integrations.ts'
import { createWebhookSecrets } from './integrations/webhook-secrets.ts'
import { type Clock, systemClock } from './kit/clock.ts'
import { uuidv7 } from './kit/ids.ts'
import { createLog, type Log } from './kit/log.ts'
import { type Loop, startLoop } from './kit/loop.ts'
import { systemTimers, type Timers } from './kit/timers.ts'
import { createMailboxTransport } from './mail/mailbox.ts'
import { createOutbox } from './mail/outbox.ts'
import type { PaymentGateway } from './payments/port.ts'
import { createSandboxGateway, type SandboxGateway } from './payments/sandbox/sandbox.ts'
import { createFolderStore } from './recordings/folder.ts'
import { ping } from './store/database.ts'
import { createIdempotency } from './store/idempotency.ts'
import { createNotices } from './store/notices.ts'
import { openStore } from './store/open-store.ts'
import { loadSecretKey, openVault } from './store/secret-key.ts'
import { createConfirmations } from './users/confirmations/confirmations.ts'
import { createLogin } from './users/login.ts'
import { createPasswords } from './users/passwords/passwords.ts'
import { createCallers } from './users/tokens/callers.ts'
import { createTokens } from './users/tokens/tokens.ts'
import { createUsers } from './users/users.ts'
import { createCallAdmission } from './voice/admission.ts'
import { createCallAnnouncer } from './voice/announcer.ts'
import { extendEverySeconds } from './voice/credit-control.ts'
import { createNodeLease, renewSeconds } from './voice/lease.ts'
import { createVoiceNode } from './voice/node.ts'
import { createOrphanSweep, sweepSeconds } from './voice/orphans.ts'
import { announceCharge, announceLowBalance } from './webhooks/account-events.ts'
import { createWebhooks } from './webhooks/webhooks.ts'

/** What a test, or a command, puts in place of the real thing. */
export type Overrides = {
  clock?: Clock
  timers?: Timers
  log?: Log
  routes?: AnyEntry[]
  engine?: (house: EngineHost) => VoiceEngine
  gateway?: PaymentGateway
}

/** Everything below HTTP: what the server and the operator's commands share. */
export async function openRooms(config: Config, overrides: Overrides = {}) {
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? createLog(config.logLevel)
  const store = await openStore(config, log)
  const { db } = store
  try {
    const vault = await openVault(db, config.secretKey ?? loadSecretKey(config.dataDir))
    const mailTransport = await chooseMailTransport(config, log)
    // Known for certain only once a server listens: PORT may be 0.
    const here = urlOf(config.host, config.port)
    const site = { url: config.publicUrl ?? here, here }
    const onError = (error: unknown, job?: string) => log.error({ err: error, job }, 'background work failed')

    const notices = createNotices(store.connection, log)
    const outbox = createOutbox({ db, transport: mailTransport, vault, clock, log })
    const callers = createCallers({ db, clock, notices })
    const passwords = createPasswords()
    const tokens = createTokens({ db, clock, callers })
    const confirmUrl = () => `${site.url}${basePath}/accounts/confirm`
    const confirmations = createConfirmations({ db, clock, outbox, callers, confirmUrl })
    const login = createLogin({ db, clock, passwords, tokens, callers, confirmations, onError })
    const users = createUsers({ db, clock, passwords, callers, confirmations, outbox })
    const accounts = createAccounts({ db, clock })
    const { gateway, sandbox } = overrides.gateway
      ? { gateway: overrides.gateway }
      : await chooseGateway(config, { db, clock, log, vault, site })
    const financial = createFinancialAccounts({ db, clock, log, gateway })
    const billing = createBilling({
      db,
      clock,
      log,
      notices,
      gateway,
      onError,
      customerOf: financial.customerOf,
      trialCredit: config.trialCredit,
      lowBalance: config.lowBalance,
      onLowBalance: announceLowBalance,
      onPaid: (tx, moved) => announceCharge(tx, 'charge-paid', moved),
      onRefunded: (tx, moved) => announceCharge(tx, 'charge-refunded', moved),
    })
    const signups = createSignups({
      db,
      clock,
      users,
      passwords,
      tokens,
      confirmations,
      outbox,
      config,
      onActivated: billing.ledger.grantTrialCredit,
    })
    const phones = createPhones({ db, clock, vault, notices })
    const extensions = createExtensions({ db, clock, vault, phones })
    const node = uuidv7(clock.now())
    const address = config.voice.port === 0 ? undefined : `${config.voice.publicHost}:${config.voice.port}`
    const registrations = createRegistrations({ db, clock, node, address, phones, onError })
    const idempotency = createIdempotency({ db, clock, vault })
    const hooks = {
      db,
      clock,
      secrets: createWebhookSecrets(vault),
      allowPrivate: config.webhookAllowPrivate,
    }
    const integrations = createIntegrations(hooks)
    const timers = overrides.timers ?? systemTimers
    const webhooks = createWebhooks({ ...hooks, timers, log, notices, integrations })
    const callCounts = createCallCounts({ db, clock })
    const callListing = createCallListing({ db })
    const spool = join(config.dataDir, 'spool')
    const kept = { days: config.recordingDays, clock }
    const recordingAddress = (callId: string) => `${site.url}${basePath}/calls/${callId}/recording`
    const recordingLinks = createRecordingLinks({ ...kept, vault, address: recordingAddress })
    const announcer = createCallAnnouncer({ webhooks, linkOf: recordingLinks.linkOf })
    const recordings = createRecordings({
      ...kept,
      db,
      log,
      store: createFolderStore(config.recordings),
      announcer,
    })

    return {
      store,
      clock,
      timers,
      node,
      vault,
      log,
      site,
      mailTransport,
      onError,
      notices,
      outbox,
      callers,
      tokens,
      confirmations,
      login,
      users,
      signups,
      accounts,
      extensions,
      phones,
      registrations,
      idempotency,
      integrations,
      webhooks,
      financial,
      gateway,
      sandbox,
      ...billing,
      callCounts,
      callListing,
      recordings,
      recordingLinks,
      spool,
      announcer,
      async close() {
        mailTransport.close()
        await gateway.close()
        await webhooks.stop()
        await notices.stop()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
export type Rooms = Awaited<ReturnType<typeof openRooms>>

/** The service, listening. */
export async function startApp(config: Config, overrides: Overrides = {}) {
  const rooms = await openRooms(config, overrides)
  const { store, log, notices } = rooms
  const metrics = createMetrics()
  const rateCounters = config.rateLimits
    ? await chooseRateCounters(config.redisUrl, rooms.clock, rooms.log)
    : undefined
  const mailbox = rooms.mailTransport.keepsMail ? rooms.outbox : undefined
  const address = config.voice.port === 0 ? undefined : `${config.voice.publicHost}:${config.voice.port}`
  const { db } = store
  const { clock, timers, announcer, credit, node } = rooms
  const admission = createCallAdmission({ db, announcer, credit })
  const voice = createVoiceNode({
    db,
    clock,
    timers,
    log,
    notices,
    node,
    limits: config.callLimits,
    announcer,
    admission,
    credit,
    createEngine: overrides.engine ?? chooseEngine(config, rooms),
    host: {
      credentials: rooms.phones.credentials,
      extensions: rooms.phones.all,
      registrations: rooms.registrations.load,
      onRegistration: rooms.registrations.onEvent,
    },
    onRecorded: (callId, recording) => void rooms.recordings.take(callId, recording),
  })
  const calls = createCalls({
    db,
    clock,
    profiles: createExtensionProfiles({ db, clock }),
    admission,
    commands: voice.commands,
  })
  const lease = createNodeLease({
    db,
    clock,
    node: {
      id: node,
      roles: ['api', 'worker', 'voice'],
      address: () => address ?? voice.engine.addresses().SIP,
    },
    engine: voice.engine,
  })
  const orphans = createOrphanSweep({ db, clock, log, announcer, credit })
  rooms.phones.onChanged((extension) => {
    voice.engine.forget(extension)
    pushAccount(voice.engine, rooms.phones, extension).catch((error: unknown) =>
      log.warn({ err: error, extension }, 'a changed extension was not pushed to the voice engine'),
    )
  })
  let draining = false

  async function notReady(): Promise<string[]> {
    if (draining) return ['draining']
    const down = await ping(store.db).then(
      () => false,
      () => true,
    )
    return [...(down ? ['database'] : []), ...voice.engine.problems()]
  }

  const server = createServer({ ...rooms, ...config, rateCounters, metrics: metrics.http })
  const routes = [...routesOf(rooms, config), ...callRoutes({ calls }), ...(overrides.routes ?? [])]
  const entries = withDescription(routes, () => rooms.site.url)
  addEntries(server, entries, rooms.idempotency)
  addOperatorRoutes(server, {
    ...config,
    notReady,
    metrics,
    mailbox,
    figures: { voice: voice.engine.metrics },
  })
  const { gateway, sandbox, reconciliation } = rooms
  addGatewayWebhook(server, { gateway, onEvent: reconciliation.receive, rateCounters, log })
  if (sandbox) addPaymentPage(server, { payer: sandbox.payer, rateCounters, log })
  await addApiReference(server, entries, rooms.site.url)

  notices.onGap(() => {
    store.revive().catch(rooms.onError)
  })
  await notices.connect()
  await rooms.tariff.load()
  const loops = startLoops(rooms)

  const stopJobs = async () => {
    await Promise.all(loops.map((loop) => loop.stop()))
  }

  /** Answers what has been asked, takes nothing new, stops what was started, in reverse. */
  async function stop() {
    draining = true
    voice.refuseNewCalls()
    await drain(server)
    await voice.stop()
    await rooms.registrations.tick().catch(rooms.onError)
    await stopJobs()
    await lease.release().catch(() => {})
    await rooms.callers.tick().catch(rooms.onError)
    await rateCounters?.close()
    await rooms.close()
    log.flush()
  }

  try {
    await lease.renew()
    await voice.start()
    loops.push(
      startLoop({
        name: 'node lease',
        everyMs: renewSeconds * 1000,
        tick: lease.renew,
        onError: rooms.onError,
      }),
      startLoop({
        name: 'orphaned calls',
        everyMs: sweepSeconds * 1000,
        tick: orphans.tick,
        onError: rooms.onError,
      }),
      startLoop({
        name: 'credit of live calls',
        everyMs: extendEverySeconds * 1000,
        tick: voice.creditControl.tick,
        onError: rooms.onError,
      }),
      startLoop({
        name: 'abandoned recordings',
        everyMs: 15_000,
        tick: () => rooms.recordings.adopt(voice.engine.abandonedRecordings()),
        onError: rooms.onError,
      }),
    )
    const url = await listen(server, config.host, config.port)
    rooms.site.url = config.publicUrl ?? url
    rooms.site.here = url
    return {
      rooms,
      voice,
      lease,
      orphans,
      jobs: { stop: stopJobs },
      url,
      stop,
      hasMailbox: mailbox !== undefined && config.operatorPages,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type EngineDeps = Pick<Rooms, 'clock' | 'timers' | 'log' | 'vault' | 'spool'>

/** The embedded engine; an adapter to another SIP server would be chosen here. */
function chooseEngine({ voice }: Config, { clock, timers, log, vault, spool }: EngineDeps) {
  const settings = {
    host: voice.host,
    publicHost: voice.publicHost,
    port: voice.port,
    wsPort: voice.wsPort,
    tlsPort: voice.tlsPort,
    tlsFiles: voice.tlsFiles,
    rtpPorts: voice.rtpPorts,
    mediaThreads: voice.mediaThreads,
    mediaSeconds: voice.mediaSeconds,
    autoAnswer: voice.autoAnswer,
    trunks: voice.trunks,
  }
  const digestKey = createSecretKey(vault.sign('SIP nonces', ''))
  return (host: EngineHost) =>
    createEmbeddedEngine({ settings, spoolFolder: spool, digestKey, clock, timers, log }, host)
}

/** For an engine that does not look passwords up itself. */
async function pushAccount(engine: VoiceEngine, phones: Rooms['phones'], extension: ExtensionName) {
  const credentials = await phones.credentials(extension)
  if (credentials) engine.put({ extension, credentials })
}

function routesOf(rooms: Rooms, { lenientPaging }: Config): AnyEntry[] {
  return [
    ...accountRoutes({ ...rooms, lenientPaging }),
    ...userRoutes({ users: rooms.users }),
    ...tokenRoutes(rooms),
    ...extensionRoutes(rooms),
    ...integrationRoutes({ ...rooms, lenientPaging }),
    ...eventRoutes(rooms),
    ...callListRoutes({ ...rooms, lenientPaging }),
    ...chargeRoutes({ ...rooms, lenientPaging }),
    ...creditRoutes({ ...rooms, lenientPaging }),
    ...financialRoutes(rooms),
  ]
}

/** Mail server and Redis are loaded only by those who have them: others need not find room for them. */
async function chooseMailTransport({ smtpUrl, mailFrom }: Config, log: Log) {
  if (!smtpUrl) return createMailboxTransport(log)
  const { createSmtpTransport } = await import('./mail/smtp.ts')
  return createSmtpTransport(smtpUrl, mailFrom ?? '')
}

type Within = Pick<Parameters<typeof createSandboxGateway>[0], 'db' | 'clock' | 'log' | 'vault'> & {
  /** For others, and for ourselves: a public address may not be reachable from inside. */
  site: { url: string; here: string }
}

async function chooseGateway(
  { paymentGateway, asaas }: Config,
  { site, ...within }: Within,
): Promise<{ gateway: PaymentGateway; sandbox?: SandboxGateway }> {
  if (paymentGateway === 'asaas') {
    const { createAsaasGateway } = await import('./payments/asaas/asaas.ts')
    return { gateway: createAsaasGateway(asaas) }
  }
  const webhookUrl = () => `${site.here}${webhookPath({ name: paymentGateway })}`
  const sandbox = createSandboxGateway({ ...within, siteUrl: () => site.url, webhookUrl })
  return { gateway: sandbox, sandbox }
}

async function chooseRateCounters(redisUrl: string | undefined, clock: Clock, log: Log) {
  const windowMs = windowSeconds * 1000
  const memory = createMemoryRateCounters(clock, windowMs)
  if (!redisUrl) return memory
  const { createRedisRateCounters } = await import('./http/limits/redis-rate-counters.ts')
  return createRedisRateCounters({ url: redisUrl, windowMs, fallback: memory, log })
}

function startLoops(rooms: Rooms) {
  const { onError, outbox, callers, tokens, confirmations, signups, idempotency, webhooks } = rooms
  const mail = startLoop({ name: 'mail', everyMs: 5_000, tick: outbox.tick, onError })
  outbox.onWake(mail.wake)
  const lastUses = startLoop({ name: 'last uses of tokens', everyMs: 10_000, tick: callers.tick, onError })
  const refreshes = startLoop({
    name: 'registration refreshes',
    everyMs: 10_000,
    tick: rooms.registrations.tick,
    onError,
  })
  const sweeps: { sweep(): Promise<unknown> }[] = [
    outbox,
    tokens,
    confirmations,
    signups,
    idempotency,
    webhooks,
    rooms.registrations,
    rooms.reconciliation,
    ...(rooms.sandbox ? [rooms.sandbox] : []),
  ]
  const sweep = startLoop({
    name: 'sweep',
    everyMs: 600_000,
    tick: async () => {
      for (const room of sweeps) await room.sweep()
    },
    onError,
  })
  const deliveries = startLoop({ name: 'webhook deliveries', everyMs: 1_000, tick: webhooks.tick, onError })
  webhooks.onWake(deliveries.wake)
  const totals = startTotals(rooms)
  const sounds = startLoop({ name: 'recordings', everyMs: 15_000, tick: rooms.recordings.tick, onError })
  return [mail, lastUses, refreshes, sweep, deliveries, totals, sounds, ...startMoneyLoops(rooms)]
}

/** Whoever has many calls to be counted is counted bit by bit, and not while the service stops. */
function startTotals({ callCounts, onError }: Rooms): Loop {
  let stopped = false
  const rest = async (ms: number) => {
    await sleep(ms)
    return !stopped
  }
  const loop = startLoop({ name: 'call counts', everyMs: 30_000, tick: () => callCounts.tick(rest), onError })
  return {
    wake: loop.wake,
    stop() {
      stopped = true
      return loop.stop()
    },
  }
}

function startMoneyLoops({ onError, financial, tariff, reconciliation, sandbox }: Rooms) {
  const rates = startLoop({ name: 'rates', everyMs: 10_000, tick: tariff.tick, onError })
  const customers = startLoop({ name: 'payment customers', everyMs: 30_000, tick: financial.tick, onError })
  financial.onWake(customers.wake)
  const payments = startLoop({ name: 'payments', everyMs: 5_000, tick: reconciliation.tick, onError })
  reconciliation.onWake(payments.wake)
  if (!sandbox) return [rates, customers, payments]
  const sandboxTurns = startLoop({ name: 'sandbox payments', everyMs: 5_000, tick: sandbox.tick, onError })
  sandbox.onWake(sandboxTurns.wake)
  return [rates, customers, payments, sandboxTurns]
}
