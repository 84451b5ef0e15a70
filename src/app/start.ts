/**
 * Starts the service with the roles of this process (D128: ROLES): opens what they need, reports whether it is ready, and
 * closes everything in reverse. Every process has an HTTP port: `/health`, `/ready` and `/metrics` are on it whatever its roles.
 */

import { hostname } from 'node:os'
import { crmProducts } from '../accounts/crm-products.ts'
import type { Config } from '../config.ts'
import { startConsoleBuild } from '../http/console/console-build.ts'
import { addConsole, consolePath } from '../http/console/console-routes.ts'
import { createOperatorAccess } from '../http/operator/console/access.ts'
import { createMetrics } from '../http/operator/metrics.ts'
import { addOperatorRoutes } from '../http/operator/operator-routes.ts'
import { drain, listen, renewCertificate } from '../http/server/listening.ts'
import { createServer } from '../http/server/server.ts'
import { createSessionCookie } from '../http/server/session-cookie.ts'
import { addSipUpgrade } from '../http/server/sip-upgrade.ts'
import { version } from '../http/version.ts'
import { uuidv7 } from '../kit/ids.ts'
import { createClosers } from '../kit/process/closers.ts'
import { createLog } from '../kit/process/log.ts'
import type { TlsPair } from '../kit/process/tls-files.ts'
import { systemTimers } from '../kit/timers.ts'
import { createNodeLease, renewSeconds } from '../nodes/lease.ts'
import { untilUp } from '../store/connection/until-up.ts'
import { createKeyHolder, reportSeconds } from '../store/secrets/key-holder.ts'
import { readOperatorToken } from '../store/secrets/operator-token.ts'
import { answerWithinMs, createVoiceCommands } from '../voice/commands.ts'
import { createCallNotices } from '../voice/fleet/call-notices.ts'
import { createRemoteCommands } from '../voice/fleet/remote-commands.ts'
import { sipAddresses } from './process/addresses.ts'
import { createApi } from './roles/api.ts'
import { createClockWatch } from './process/clock-watch.ts'
import { createDraining } from './process/draining.ts'
import { openHttps } from './process/https.ts'
import { type Job, startJobs } from './process/jobs.ts'
import { addOperator } from './roles/operator.ts'
import { createReadiness } from './process/readiness.ts'
import { chooseRateCounters } from './services/adapters.ts'
import { type Overrides, openServices } from './services/services.ts'
import { createVoice } from './roles/voice.ts'
import { createWorker } from './roles/worker.ts'

export async function startApp(config: Config, overrides: Overrides = {}) {
  const https = await openHttps(config)
  const { services, consoleBuild } = await openAll(config, overrides)
  const { callsDb, clock, timers, log, onError, store, notices, addresses } = services.base
  const { db, vault, keys, storedKeys } = services.base
  const closers = createClosers(onError)
  closers.add(services.close)
  if (consoleBuild) closers.add(consoleBuild.stop)

  const stop = async () => {
    readiness.setDraining(true)
    services.live.stop()
    voice?.node.refuseNewCalls(true)
    await closers.close()
  }

  const id = uuidv7(clock.now())
  const has = (role: (typeof config.roles)[number]) => config.roles.includes(role)
  const callNotices = createCallNotices({ db: callsDb, log })
  const clockWatch = createClockWatch({ clock: store.clock, log, others: () => lease.others() })
  const voice = has('voice')
    ? createVoice({
        config,
        services,
        node: id,
        callNotices,
        clockWatch,
        override: overrides.engine,
        otherVoiceNodes: () => lease.otherVoiceNodes(),
      })
    : undefined
  const worker = has('worker') ? createWorker(services, clockWatch) : undefined
  const node = { id, roles: config.roles, host: hostname(), version, address: () => voice?.address() }
  const keyHolder = createKeyHolder({ db, vault, keys, storedKeys, notices, process: id })
  const lease = createNodeLease({
    db,
    callsDb,
    databaseClock: store.clock,
    // Real time, also in tests that advance their timers: renewals happen in real time too.
    timers: systemTimers,
    node,
    voice: voice && {
      engine: voice.node.engine,
      times: voice.node.times,
      takesCalls: voice.node.takesCalls,
      setFenced: config.databaseUrl === undefined ? undefined : voice.node.setFenced,
    },
    notices,
    onDrainRequest: (isRequested) => draining.onRequest(isRequested),
  })
  const readiness = createReadiness({
    timers,
    write: lease.touch,
    problems: () => [...store.problems(), ...clockWatch.problems(), ...(voice?.node.problems() ?? [])],
  })
  const draining = createDraining({
    readiness,
    voice: voice?.node,
    timers,
    onError,
    noticeSeconds: config.drainNoticeSeconds,
    drainSeconds: config.drainSeconds,
    hasOtherNodes: () => lease.otherVoiceNodes() > 0,
    renewLease: lease.renewRow,
  })

  try {
    const rateCounters = await chooseRateCounters(config, { clock, log })
    closers.add(() => rateCounters?.close())
    const commands = createVoiceCommands({
      local: voice?.node.commands,
      remote: createRemoteCommands({
        db: callsDb,
        timers,
        notices,
        callNotices,
        process: id,
        answerWithinMs,
      }),
      directory: services.extensions.directory,
    })
    const extraRoutes = overrides.routes ?? []
    const sessionCookie = createSessionCookie(addresses.publicUrl().startsWith('https:'))
    const phoneAddresses = () => sipAddresses(voice?.node.engine, addresses.publicUrl())
    const api = has('api')
      ? createApi({
          config,
          services,
          commands,
          rateCounters,
          sessionCookie,
          phoneAddresses,
          extraRoutes,
        })
      : undefined

    notices.onGap(() => {
      store.revive().catch(onError)
    })
    notices.onSilence(store.replaceSilent)
    await notices.connect()
    await untilUp(services.money.tariff.load)
    if (api) closers.add(api.stop)
    await untilUp(keyHolder.tick)
    closers.add(keyHolder.release)
    await untilUp(lease.renew)
    closers.add(lease.release)
    await clockWatch.tick()

    const everyProcess: Job[] = [
      {
        name: 'node lease',
        everyMs: renewSeconds * 1000,
        tick: lease.renewRow,
        onWake: lease.onWake,
      },
      { name: 'clock', everyMs: renewSeconds * 1000, tick: clockWatch.tick },
      {
        name: 'secret keys',
        everyMs: reportSeconds * 1000,
        tick: keyHolder.tick,
        onWake: keyHolder.onWake,
      },
      { name: 'rates', everyMs: 10_000, tick: services.money.tariff.tick },
    ]
    const proofOfLife: Job[] = voice
      ? [{ name: 'proof of life', everyMs: renewSeconds * 1000, tick: lease.proveLife }]
      : []
    const roles = [api, worker, voice].filter((role) => role !== undefined)
    const jobs = startJobs([...everyProcess, ...proofOfLife, ...roles.flatMap((role) => role.jobs)], onError)
    closers.add(jobs.stop)

    if (voice) {
      closers.add(voice.stop)
      await voice.node.start()
      // Its address is known now, also if the system chose the port.
      await untilUp(lease.renewRow)
    }

    const mailbox = api && services.mail.transport.keepsMail ? services.mail.outbox : undefined
    const operatorToken = readOperatorToken(config)
    const access = createOperatorAccess({
      token: operatorToken?.token,
      isSecure: addresses.publicUrl().startsWith('https:'),
      clock,
      rateCounters,
    })
    const hasMailbox = mailbox !== undefined && access.isOpen
    const links = { reference: api !== undefined, mailbox: hasMailbox }
    const metrics = createMetrics({ id, version, roles: config.roles.join() })
    const acceptSip = voice?.node.engine.acceptUpgrade
    const server = createServer({
      log,
      callers: services.users.callers,
      rateCounters,
      metrics: metrics.http,
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
      figures: { node: lease.figures, ...(voice && { voice: voice.metrics }) },
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
      addOperator(server, { services, access, consoleState: consoleBuild.read })
    }
    await api?.addTo(server)
    if (!api) worker?.addTo(server, rateCounters)
    closers.add(() => drain(server, upgraded))
    const url = await listen(server, config.host, config.port)
    addresses.onListening(url)
    return {
      services,
      node,
      keyHolder,
      lease,
      voice,
      worker,
      jobs,
      url,
      hasApi: api !== undefined,
      consoleBuild,
      hasMailbox,
      operatorToken,
      phoneAddresses,
      liveCalls: () => voice?.node.engine.liveCalls().length ?? 0,
      /** Not ready at once; still serves while a balancer notices it; then refuses new calls and waits for the live ones. */
      async drain() {
        lease.drain()
        await draining.beforeStop()
        services.live.stop()
        await voice?.node.callsEnded(config.drainSeconds)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
function consoleSettings({ accountDomainSuffix, crmProducts: added }: Config) {
  return { accountDomainSuffix, crmProducts: [...crmProducts, ...added] }
}

/** The console is built while the database starts; one that is built already is there from the first request on. */
async function openAll(config: Config, overrides: Overrides) {
  const log = overrides.log ?? createLog(config.logLevel, { format: config.logFormat })
  const consoleBuild = config.console ? startConsoleBuild({ dataDir: config.dataDir, log }) : undefined
  try {
    const services = await openServices(config, { ...overrides, log })
    await consoleBuild?.looked
    return { services, consoleBuild }
  } catch (error) {
    await consoleBuild?.stop()
    throw error
  }
}
export type App = Awaited<ReturnType<typeof startApp>>
