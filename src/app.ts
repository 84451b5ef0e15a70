/** The whole service, put together: the only file that knows every room. */
import { sql } from 'kysely'
import { createAccounts } from './accounts/accounts.ts'
import { createSignups } from './accounts/signup.ts'
import type { Config } from './config.ts'
import { windowSeconds } from './contract/limits.ts'
import { createExtensions } from './extensions/extensions.ts'
import { addEntries } from './http/add-entries.ts'
import { drain, listen, urlOf } from './http/door/listening.ts'
import { createServer } from './http/door/server.ts'
import { type AnyEntry, basePath } from './http/entry.ts'
import { createMemoryWindows } from './http/limits/windows.ts'
import { createMetrics } from './http/operator/metrics.ts'
import { addOperatorRoutes } from './http/operator/operator-routes.ts'
import { addApiReference, withDescription } from './http/reference/api-reference.ts'
import { accountRoutes } from './http/routes/accounts.ts'
import { extensionRoutes } from './http/routes/extensions.ts'
import { tokenRoutes } from './http/routes/tokens.ts'
import { userRoutes } from './http/routes/users.ts'
import { type Clock, systemClock } from './kit/clock.ts'
import { createLog, type Log } from './kit/log.ts'
import { startLoop } from './kit/loop.ts'
import { createMailboxCarrier } from './mail/mailbox.ts'
import { createOutbox } from './mail/outbox.ts'
import { createIdempotency } from './store/idempotency.ts'
import { createNotices } from './store/notices.ts'
import { openStore } from './store/open-store.ts'
import { loadSecretKey, openVault } from './store/secret-key.ts'
import { createCallers } from './users/callers.ts'
import { createConfirmations } from './users/confirmations.ts'
import { createLogin } from './users/login.ts'
import { createPasswords } from './users/passwords.ts'
import { createTokens } from './users/tokens.ts'
import { createUsers } from './users/users.ts'

/** What a test, or a command, puts in place of the real thing. */
export type Overrides = { clock?: Clock; log?: Log; routes?: AnyEntry[] }

/** Everything below HTTP: what the server and the operator's commands share. */
export async function openRooms(config: Config, overrides: Overrides = {}) {
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? createLog(config.logLevel)
  const store = await openStore(config, log)
  const { db } = store
  try {
    const vault = await openVault(db, config.secretKey ?? loadSecretKey(config.dataDir))
    const carrier = await chooseCarrier(config, log)
    // Known for certain only once a server listens: PORT may be 0.
    const site = { url: config.publicUrl ?? urlOf(config.host, config.port) }
    const onError = (error: unknown) => log.error({ err: error }, 'background work failed')

    const notices = createNotices(store.connection, log)
    const outbox = createOutbox({ db, carrier, vault, clock, log })
    const callers = createCallers({ db, clock, notices })
    const passwords = createPasswords()
    const tokens = createTokens({ db, clock, callers })
    const confirmUrl = () => `${site.url}${basePath}/accounts/confirm`
    const confirmations = createConfirmations({ db, clock, outbox, callers, confirmUrl })
    const login = createLogin({ db, clock, passwords, tokens, callers, confirmations, onError })
    const users = createUsers({ db, clock, passwords, callers, confirmations, outbox })
    const signups = createSignups({ db, clock, passwords, tokens, confirmations, outbox, config })
    const accounts = createAccounts({ db, clock })
    const extensions = createExtensions({ db, clock, vault })
    const idempotency = createIdempotency({ db, clock, vault })

    return {
      ...{ store, clock, log, site, carrier, onError, notices, outbox, callers, tokens },
      ...{ confirmations, login, users, signups, accounts, extensions, idempotency },
      async close() {
        carrier.close()
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
  const windows = config.rateLimits ? await chooseWindows(config, rooms) : undefined
  const mailbox = rooms.carrier.keeps ? rooms.outbox : undefined
  let draining = false

  async function notReady(): Promise<string[]> {
    if (draining) return ['draining']
    const down = await sql`select 1`.execute(store.db).then(
      () => false,
      () => true,
    )
    return down ? ['database'] : []
  }

  const server = createServer({ ...rooms, ...config, windows, metrics: metrics.http })
  const routes = [...routesOf(rooms, config), ...(overrides.routes ?? [])]
  const entries = withDescription(routes, () => rooms.site.url)
  addEntries(server, entries, rooms.idempotency)
  addOperatorRoutes(server, { ...config, notReady, metrics, mailbox })
  await addApiReference(server, entries, rooms.site.url)

  notices.onGap(() => {
    store.revive().catch(rooms.onError)
  })
  await notices.connect()
  const loops = startLoops(rooms)

  /** Answers what has been asked, takes nothing new, stops what was started, in reverse. */
  async function stop() {
    draining = true
    await drain(server)
    await Promise.all(loops.map((loop) => loop.stop()))
    await rooms.callers.tick().catch(rooms.onError)
    await windows?.close()
    await rooms.close()
    log.flush()
  }

  try {
    const url = await listen(server, config.host, config.port)
    rooms.site.url = config.publicUrl ?? url
    return { rooms, url, stop, hasMailbox: mailbox !== undefined && config.operatorPages }
  } catch (error) {
    await stop()
    throw error
  }
}

function routesOf(rooms: Rooms, { lenientPaging }: Config): AnyEntry[] {
  const { db } = rooms.store
  return [
    ...accountRoutes({ ...rooms, db, lenientPaging }),
    ...userRoutes({ ...rooms, db }),
    ...tokenRoutes(rooms),
    ...extensionRoutes(rooms),
  ]
}

/** Mail server and Redis are loaded only by those who have them: others need not find room for them. */
async function chooseCarrier({ smtpUrl, mailFrom }: Config, log: Log) {
  if (!smtpUrl) return createMailboxCarrier(log)
  const { createSmtpCarrier } = await import('./mail/smtp.ts')
  return createSmtpCarrier(smtpUrl, mailFrom ?? '')
}

async function chooseWindows({ redisUrl }: Config, { clock, log }: Rooms) {
  const windowMs = windowSeconds * 1000
  const memory = createMemoryWindows(clock, windowMs)
  if (!redisUrl) return memory
  const { createRedisWindows } = await import('./http/limits/redis-windows.ts')
  return createRedisWindows({ url: redisUrl, windowMs, meanwhile: memory, log })
}

function startLoops(rooms: Rooms) {
  const { onError, outbox, callers, tokens, confirmations, signups, idempotency } = rooms
  const mail = startLoop({ everyMs: 5_000, tick: outbox.tick, onError })
  outbox.onWake(mail.wake)
  const lastUses = startLoop({ everyMs: 10_000, tick: callers.tick, onError })
  const sweeps = [outbox, tokens, confirmations, signups, idempotency]
  const sweep = startLoop({
    everyMs: 600_000,
    tick: async () => {
      for (const room of sweeps) await room.sweep()
    },
    onError,
  })
  return [mail, lastUses, sweep]
}
