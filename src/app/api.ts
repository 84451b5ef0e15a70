/** The API role: the routes of the contract, the payment pages and the API description. */
import { createCallChecks } from '../calls/call-checks.ts'
import { createCalls } from '../calls/calls.ts'
import { createNumberVerification } from '../calls/number-verification.ts'
import { createCallTransfers } from '../calls/transfers.ts'
import type { Config } from '../config.ts'
import { addEntries } from '../http/add-entries.ts'
import { consolePath } from '../http/console/console-routes.ts'
import { type AnyEntry, basePath } from '../http/entry.ts'
import type { RateCounters } from '../http/limits/rate-counters.ts'
import type { NextPage } from '../http/pages/link-page.ts'
import { addApiReference, withDescription } from '../http/reference/api-reference.ts'
import { accountLimitRoutes } from '../http/routes/account-limits.ts'
import { accountSettingsRoutes } from '../http/routes/account-settings.ts'
import { accountRoutes } from '../http/routes/accounts.ts'
import { callFigureRoutes } from '../http/routes/call-figures.ts'
import { callListRoutes } from '../http/routes/call-list.ts'
import { callTimelineRoutes } from '../http/routes/call-timeline.ts'
import { callRoutes } from '../http/routes/calls.ts'
import { chargeRoutes } from '../http/routes/charges.ts'
import { consoleSessionRoutes } from '../http/routes/console-session.ts'
import { creditRoutes } from '../http/routes/credits.ts'
import { eventRoutes } from '../http/routes/events.ts'
import { extensionRoutes } from '../http/routes/extensions.ts'
import { financialRoutes } from '../http/routes/financial.ts'
import { integrationRoutes } from '../http/routes/integrations.ts'
import { liveRoutes } from '../http/routes/live.ts'
import { numberRoutes } from '../http/routes/numbers.ts'
import { passwordRoutes } from '../http/routes/passwords.ts'
import { addGatewayWebhook, addPaymentPage } from '../http/routes/payments.ts'
import { phoneSetupRoutes } from '../http/routes/phone-setup.ts'
import { phoneRoutes } from '../http/routes/phones.ts'
import { recordingRoutes } from '../http/routes/recordings.ts'
import { secondFactorRoutes } from '../http/routes/second-factor.ts'
import { tokenRoutes } from '../http/routes/tokens.ts'
import { userRoutes } from '../http/routes/users.ts'
import type { createServer } from '../http/server/server.ts'
import type { SessionCookie } from '../http/server/session-cookie.ts'
import type { VoiceCommands } from '../voice/commands.ts'
import { createNodes } from '../voice/nodes/nodes.ts'
import { phoneServers, webPhoneAddress } from './addresses.ts'
import type { Job } from './jobs.ts'
import type { Services } from './services.ts'

type Deps = {
  config: Config
  services: Services
  commands: VoiceCommands
  rateCounters: RateCounters | undefined
  sessionCookie: SessionCookie
  /** Where phones reach this process, by transport. */
  phoneAddresses: () => Record<string, string>
  /** Of a test. */
  extraRoutes: AnyEntry[]
}

export function createApi(deps: Deps) {
  const { config, services, commands, rateCounters, sessionCookie, phoneAddresses, extraRoutes } = deps
  const { base, users, money, extensions, calls } = services
  const { callsDb, clock, log, addresses, idempotency } = base
  const { profiles } = extensions
  const checks = createCallChecks({
    db: callsDb,
    clock,
    profiles,
    admission: calls.admission,
    commands,
    services: config.serviceNumbers,
  })
  const placing = createCalls({ clock, profiles, commands, checks })
  const callTransfers = createCallTransfers({ clock, profiles, commands, checks })
  const nodes = createNodes(base)
  const { numbers } = extensions
  const verification = createNumberVerification({
    db: base.db,
    clock,
    log,
    numbers,
    credit: money.credit,
    guard: services.limits.guard,
    commands,
  })
  const routes = [
    ...listRoutes(services, config),
    ...callRoutes({ calls: placing, callTransfers }),
    ...numberRoutes({ numbers, verification }),
    ...phoneRoutes({ iceServers: extensions.iceServers, clock }),
    ...phoneSetupRoutes({
      extensions: extensions.extensions,
      setupLinks: extensions.setupLinks,
      apiUrl: () => `${services.base.addresses.publicUrl()}${basePath}`,
      servers: async () => phoneServers([phoneAddresses(), ...(await nodes.phoneAddresses())]),
    }),
    ...consoleSessionRoutes({
      accounts: services.accounts.accounts,
      ledger: money.ledger,
      login: users.login,
      callers: users.callers,
      tokens: users.tokens,
      clock,
      cookie: sessionCookie,
      features: () => ({
        gateway: money.gateway.name,
        recordingDays: config.recordingDays,
        webPhone: webPhoneAddress(config.roles.includes('voice'), phoneAddresses(), addresses.publicUrl()),
        sandboxCarrier: extensions.usesSandboxCarrier,
      }),
    }),
    ...extraRoutes,
  ]

  async function addTo(server: ReturnType<typeof createServer>) {
    const entries = withDescription(routes, addresses.publicUrl)
    addEntries(server, entries, idempotency)
    const { gateway, sandbox, reconciliation } = money
    addGatewayWebhook(server, { gateway, onEvent: reconciliation.receive, rateCounters, log })
    if (sandbox) addPaymentPage(server, { payer: sandbox.payer, rateCounters, log })
    addApiReference(server, entries, addresses.publicUrl)
  }

  const jobs: Job[] = [{ name: 'last use of tokens', everyMs: 10_000, tick: users.callers.tick }]
  /** Writes what the last tick of its job has not. */
  async function stop() {
    await verification.finished()
    await users.callers.tick()
  }
  return { addTo, jobs, stop }
}

function listRoutes(services: Services, config: Config): AnyEntry[] {
  const { strictPaging } = config
  const { callers, tokens, login, users, confirmations, linkRequests, passwordChanges } = services.users
  const { secondFactors } = services.users
  const next = (): NextPage => ({
    name: config.console ? 'console' : 'reference',
    url: `${services.base.addresses.publicUrl()}${config.console ? consolePath : '/docs'}`,
  })
  const { charges, ledger, financial } = services.money
  const { accounts, signups } = services.accounts
  const { integrations, webhooks } = services.webhooks
  const { listing, recordings, recordingPeaks, links } = services.calls
  return [
    ...accountRoutes({ accounts, signups, confirmations, next, strictPaging }),
    ...accountSettingsRoutes({ settings: services.accounts.settings }),
    ...accountLimitRoutes({
      limits: services.limits.limits,
      ledger,
      integrations: config.integrationCeilings,
    }),
    ...userRoutes({ users }),
    ...passwordRoutes({ passwordChanges, linkRequests, next }),
    ...secondFactorRoutes({ secondFactors }),
    ...tokenRoutes({ tokens, login, callers }),
    ...extensionRoutes({ extensions: services.extensions.extensions }),
    ...integrationRoutes({ integrations, webhooks, strictPaging }),
    ...eventRoutes({ webhooks }),
    ...liveRoutes({ live: services.live, recordingLinks: links, callers }),
    ...callListRoutes({ callListing: listing, recordingLinks: links, strictPaging }),
    ...recordingRoutes({
      callListing: listing,
      recordings,
      recordingPeaks,
      recordingLinks: links,
      callers,
    }),
    ...callFigureRoutes({ callListing: listing }),
    ...callTimelineRoutes({ callListing: listing, webhooks }),
    ...chargeRoutes({ charges, strictPaging }),
    ...creditRoutes({ ledger, tariff: services.money.tariff, strictPaging }),
    ...financialRoutes({ financial }),
  ]
}
