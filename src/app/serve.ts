/** The HTTP port, which every process has: `/health`, `/ready` and `/metrics`, and the pages and routes of its roles. */
import { crmProducts } from '../accounts/crm-products.ts'
import type { Config } from '../config.ts'
import { addConsole, consolePath } from '../http/console/console-routes.ts'
import { createOperatorAccess } from '../http/operator/console/access.ts'
import { createMetrics } from '../http/operator/metrics.ts'
import { addOperatorRoutes } from '../http/operator/operator-routes.ts'
import { drain, listen, renewCertificate } from '../http/server/listening.ts'
import { createServer } from '../http/server/server.ts'
import { addSipUpgrade } from '../http/server/sip-upgrade.ts'
import type { TlsPair } from '../kit/process/tls-files.ts'
import { readOperatorToken } from '../store/secrets/operator-token.ts'
import type { Node } from './node.ts'
import type { Opened } from './open.ts'
import { startJobs } from './process/jobs.ts'
import { addOperator } from './roles/operator.ts'
import type { Overrides } from './services/services.ts'

/** `opens`: in place of listening on a port. */
export async function serve(
  opened: Opened,
  { node, api, worker, voice, ...rest }: Node,
  opens: Overrides['listen'] = listen,
) {
  const { config, https, services, consoleBuild, rateCounters, sessionCookie, closers } = opened
  const { clock, log, onError, addresses } = services.base
  const { apiRequests } = services.accounts
  const { lease, readiness, phoneAddresses, commands, trunkTests } = rest
  const mailbox = api && services.mail.transport.keepsMail ? services.mail.outbox : undefined
  const operatorToken = readOperatorToken(config)
  const access = createOperatorAccess({
    token: operatorToken?.token,
    isSecure: addresses.publicUrl().startsWith('https:'),
    clock,
    rateCounters,
    operators: services.users.operators,
    sessions: services.users.operatorSessions,
  })
  const hasMailbox = mailbox !== undefined && access.hasToken
  const links = { reference: api !== undefined, mailbox: hasMailbox }
  const metrics = createMetrics({ id: node.id, version: node.version, roles: node.roles.join() })
  const acceptSip = voice?.node.engine.acceptUpgrade
  const server = createServer({
    log,
    callers: services.users.callers,
    rateCounters,
    metrics: metrics.http,
    apiRequests,
    trustProxy: config.trustProxy,
    strictBodies: config.strictBodies,
    maxRequests: config.maxRequests,
    countOthersBy: config.rateLimitBy,
    links,
    sessionCookie,
    takesSip: acceptSip !== undefined,
    tls: https?.pair,
  })
  if (https) {
    const onRenewed = (pair: TlsPair) => {
      addresses.onCertificate(pair)
      renewCertificate(server, pair)
    }
    addresses.onCertificate(https.pair)
    closers.add(startJobs([https.renewal(log, onRenewed)], onError).stop)
  }
  const upgraded = acceptSip && addSipUpgrade(server, config.trustProxy, acceptSip)
  addOperatorRoutes(server, {
    home: api ? '/docs' : '/ready',
    console: consoleBuild ? consolePath : undefined,
    links,
    notReady: readiness.notReady,
    sipAddresses: phoneAddresses,
    metrics,
    figures: {
      node: lease.figures,
      ...(voice && { voice: voice.metrics }),
      ...(api && { request_log: apiRequests.figures }),
    },
    metricsToken: config.metricsToken,
    access,
    mailbox,
  })
  if (consoleBuild) {
    addConsole(server, {
      read: consoleBuild.read,
      settings: consoleSettings(config),
      links,
      enter: access.enter,
    })
    addOperator(server, {
      services,
      commands,
      trunkTests,
      access,
      consoleState: consoleBuild.read,
      sessionCookie,
    })
  }
  await api?.addTo(server)
  if (!api) worker?.addTo(server, rateCounters)
  closers.add(() => drain(server, upgraded))
  const url = await opens(server, config.host, config.port)
  addresses.onListening(url)
  return { url, hasMailbox, operatorToken }
}

function consoleSettings({ accountDomainSuffix, crmProducts: added }: Config) {
  return { accountDomainSuffix, crmProducts: [...crmProducts, ...added] }
}
