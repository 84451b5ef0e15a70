/** The API role: the routes of the contract, the payment pages and the API description. */

import { writeEveryMs } from '../../accounts/requests/api-requests.ts'
import type { Config } from '../../config.ts'
import { addEntries } from '../../http/add-entries.ts'
import { consolePath } from '../../http/console/console-routes.ts'
import { type AnyEntry, basePath } from '../../http/entry.ts'
import { createExports } from '../../http/export.ts'
import type { RateCounters } from '../../http/limits/rate-counters.ts'
import { mcpEntries } from '../../http/mcp/mcp-routes.ts'
import type { NextPage } from '../../http/pages/link-page.ts'
import { addApiReference, withDescription } from '../../http/reference/api-reference.ts'
import { accountLimitRoutes } from '../../http/routes/account/account-limits.ts'
import { accountSettingsRoutes } from '../../http/routes/account/account-settings.ts'
import { accountRoutes } from '../../http/routes/account/accounts.ts'
import { contactRoutes } from '../../http/routes/account/contacts.ts'
import { deliveryStatsRoutes } from '../../http/routes/account/delivery-stats.ts'
import { eventLogRoutes } from '../../http/routes/account/event-log.ts'
import { eventRoutes } from '../../http/routes/account/events.ts'
import { extensionRoutes } from '../../http/routes/account/extensions.ts'
import { financialRoutes } from '../../http/routes/account/financial.ts'
import { integrationRoutes } from '../../http/routes/account/integrations.ts'
import { numberRoutes } from '../../http/routes/account/numbers.ts'
import { phoneSetupRoutes } from '../../http/routes/account/phone-setup.ts'
import { phoneRoutes } from '../../http/routes/account/phones.ts'
import { requestRoutes } from '../../http/routes/account/requests.ts'
import { callListRoutes } from '../../http/routes/calls/call-list.ts'
import { callResultRoutes } from '../../http/routes/calls/call-results.ts'
import { callStatisticsRoutes } from '../../http/routes/calls/call-statistics.ts'
import { callTimelineRoutes } from '../../http/routes/calls/call-timeline.ts'
import { callRoutes } from '../../http/routes/calls/calls.ts'
import { liveRoutes } from '../../http/routes/calls/live.ts'
import { missedCallRoutes } from '../../http/routes/calls/missed-calls.ts'
import { recordingRoutes } from '../../http/routes/calls/recordings.ts'
import { chargeRoutes } from '../../http/routes/money/charges.ts'
import { creditRoutes } from '../../http/routes/money/credits.ts'
import { addGatewayWebhook, addPaymentPage } from '../../http/routes/money/payments.ts'
import { statusRoutes } from '../../http/routes/status.ts'
import { addStatusPage } from '../../http/routes/status-page.ts'
import { updateRoutes } from '../../http/routes/updates.ts'
import { consoleSessionRoutes } from '../../http/routes/users/console-session.ts'
import { passwordRoutes } from '../../http/routes/users/passwords.ts'
import { secondFactorRoutes } from '../../http/routes/users/second-factor.ts'
import { tokenRoutes } from '../../http/routes/users/tokens.ts'
import { userRoutes } from '../../http/routes/users/users.ts'
import type { createServer } from '../../http/server/server.ts'
import { createSessionCookie, type SessionCookie } from '../../http/server/session-cookie.ts'
import { createNodes } from '../../nodes/nodes.ts'
import { createCallChecks } from '../../placing/call-checks.ts'
import { createCalls } from '../../placing/calls.ts'
import { createNumberVerification } from '../../placing/number-verification.ts'
import { createCallTransfers } from '../../placing/transfers.ts'
import type { VoiceCommands } from '../../voice/commands.ts'
import { phoneServers, webPhoneAddress } from '../process/addresses.ts'
import type { Job } from '../process/jobs.ts'
import type { Services } from '../services/services.ts'

type Deps = {
  config: Config
  services: Services
  commands: VoiceCommands
  rateCounters: RateCounters | undefined
  sessionCookie: SessionCookie
  /** Where phones reach this process, by transport. */
  phoneAddresses: () => Record<string, string>
  /** Routes of a test. */
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
    services: services.trunks.stored.serviceNumbers,
  })
  const placing = createCalls({ db: callsDb, clock, profiles, commands, checks })
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
      browserCookie: createSessionCookie(addresses.publicUrl().startsWith('https:'), 'ramal-browser'),
      features: () => ({
        gateway: money.gateway.name,
        recordingDays: config.recordingDays,
        webPhone: webPhoneAddress(config.roles.includes('voice'), phoneAddresses(), addresses.publicUrl()),
        sandboxCarrier: extensions.usesSandboxCarrier,
      }),
    }),
    ...statusRoutes({ status: services.status.status }),
    ...extraRoutes,
  ]

  async function addTo(server: ReturnType<typeof createServer>) {
    const entries = withDescription(routes, addresses.publicUrl)
    addEntries(server, entries, idempotency)
    addEntries(server, mcpEntries({ server, clock, log }), idempotency)
    const { gateway, sandbox, reconciliation } = money
    addGatewayWebhook(server, { gateway, onEvent: reconciliation.receive, rateCounters, log })
    if (sandbox) addPaymentPage(server, { payer: sandbox.payer, rateCounters, log })
    addStatusPage(server, {
      status: services.status.status,
      rateCounters,
      timeZone: config.accountTimeZone,
    })
    addApiReference(server, entries, addresses.publicUrl)
  }

  const { apiRequests } = services.accounts
  const jobs: Job[] = [
    { name: 'last use of tokens', everyMs: 10_000, tick: users.callers.tick },
    { name: 'request log', everyMs: writeEveryMs, tick: apiRequests.tick },
  ]
  /** Writes what the last tick of its job has not. */
  async function stop() {
    await verification.finished()
    await users.callers.tick()
    await apiRequests.tick()
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
  const { listing, missed, results, recordings, recordingPeaks, recordingCopies, links } = services.calls
  const exports = createExports()
  return [
    ...accountRoutes({ accounts, signups, confirmations, next, exports, strictPaging }),
    ...accountSettingsRoutes({ settings: services.accounts.settings }),
    ...accountLimitRoutes({
      limits: services.limits.limits,
      ledger,
      integrations: config.integrationCeilings,
    }),
    ...requestRoutes({ apiRequests: services.accounts.apiRequests, strictPaging }),
    ...userRoutes({ users }),
    ...passwordRoutes({ passwordChanges, linkRequests, next }),
    ...secondFactorRoutes({ secondFactors }),
    ...tokenRoutes({ tokens, login, callers }),
    ...extensionRoutes({
      extensions: services.extensions.extensions,
      presences: services.presences,
      doNotDisturb: services.extensions.doNotDisturb,
    }),
    ...contactRoutes({ contacts: services.contacts, exports, strictPaging }),
    ...integrationRoutes({ integrations, webhooks, exports, strictPaging }),
    ...deliveryStatsRoutes({ deliveryStats: webhooks.deliveryStats }),
    ...eventRoutes({ webhooks, exports }),
    ...eventLogRoutes({ eventLog: webhooks.eventLog, replay: webhooks.replay }),
    ...liveRoutes({ live: services.live, recordingLinks: links, callers }),
    ...callListRoutes({
      callListing: listing,
      callResults: results,
      recordingLinks: links,
      exports,
      strictPaging,
    }),
    ...recordingRoutes({
      callListing: listing,
      recordings,
      recordingPeaks,
      recordingCopies,
      recordingLinks: links,
      callers,
    }),
    ...callResultRoutes({ callResults: results, callListing: listing, recordingLinks: links }),
    ...updateRoutes({
      callListing: listing,
      recordingLinks: links,
      charges,
      extensions: services.extensions.extensions,
    }),
    ...missedCallRoutes({ missedCalls: missed }),
    ...callStatisticsRoutes({ callListing: listing }),
    ...callTimelineRoutes({ callListing: listing, webhooks }),
    ...chargeRoutes({ charges, exports, strictPaging }),
    ...creditRoutes({ ledger, tariff: services.money.tariff, exports, strictPaging }),
    ...financialRoutes({ financial }),
  ]
}
