/** Checks settings, ports, certificates, database, clock, voice, mail, disk, Redis and the console, and says what to do about each. */
import { statfs } from 'node:fs/promises'
import { Redis } from 'ioredis'
import { risksOf } from '../../config/risks.ts'
import type { Config } from '../../config.ts'
import { inspectConsole } from '../../http/console/console-build.ts'
import { command } from '../../kit/process/command.ts'
import { createLog } from '../../kit/process/log.ts'
import { createSmtpTransport } from '../../mail/smtp.ts'
import { PoolerRefusal } from '../../store/connection/pooler.ts'
import { readServerFacts } from '../../store/connection/server-facts.ts'
import { openStore, type Store } from '../../store/open-store.ts'
import { isAnsweredByRamal, portProblem } from '../ports.ts'
import { rootProblem } from '../root.ts'
import { say } from '../say.ts'
import { refuseOptions } from '../usage.ts'
import { checkHttps } from './doctor-https.ts'
import { checkTrunks } from './doctor-trunks.ts'
import { checkRecordings, checkSipPort } from './doctor-voice.ts'
import { type Finding, fine, ill } from './finding.ts'

export const usage = `Usage: ${command} doctor

Checks settings, ports, certificates, database, disk, telephony, mail, Redis and the console with the settings of the environment,
and says what to do about each. Ends with 1 if something is not well.`

export async function run(config: Config, args: string[]): Promise<number> {
  refuseOptions(args)
  const checks: [string, () => Promise<Finding[]>][] = [
    ['node', async () => [fine(process.version)]],
    ['settings', async () => checkSettings(config)],
    ['port', () => checkPort(config)],
    ['https', () => checkHttps(config)],
    ['disk', () => checkDisk(config)],
    ['database', () => checkDatabase(config)],
    ['sip', () => checkSipPort(config)],
    ['trunks', () => checkTrunks(config)],
    ['recording', () => checkRecordings(config)],
    ['mail', () => checkMail(config)],
    ['redis', () => checkRedis(config)],
    ['console', async () => [checkConsole(config)]],
  ]
  let healthy = true
  for (const [name, check] of checks) {
    for (const { fine, sentence } of await check()) {
      say(`${fine ? 'ok  ' : 'BAD '} ${name.padEnd(9)} ${sentence}`)
      healthy &&= fine
    }
  }
  return healthy ? 0 : 1
}

/** D482 */
function checkSettings(config: Config): Finding[] {
  const asRoot = rootProblem(config)
  const found = [...(asRoot ? [asRoot] : []), ...risksOf(config)].map(ill)
  return found.length > 0 ? found : [fine('no dangerous combination')]
}

async function checkPort(config: Config): Promise<Finding[]> {
  const { host, port } = config
  const problem = await portProblem('tcp', host, port)
  if (problem === undefined) return [fine(`${host}:${port} is free`)]
  if (problem === 'EADDRINUSE' && (await isAnsweredByRamal(config))) {
    return [fine(`${host}:${port} is answered by a running Ramal`)]
  }
  if (problem === 'EADDRINUSE') {
    return [ill(`${host}:${port} is taken by another program: stop it or set PORT`)]
  }
  if (problem === 'EACCES') return [ill(`${host}:${port} needs more rights: set PORT above 1023`)]
  return [ill(`${host}:${port} cannot be listened on (${problem}): check HOST and PORT`)]
}

const enoughBytes = 1_000_000_000

async function checkDisk({ dataDir, databaseUrl }: Config): Promise<Finding[]> {
  const place = await statfs(dataDir).catch(() => statfs('.'))
  const free = place.bavail * place.bsize
  const sentence = `${(free / 1e9).toFixed(1)} GB free for ${dataDir}`
  if (free >= enoughBytes || databaseUrl) return [fine(sentence)]
  return [ill(`${sentence}: make room or set DATA_DIR to a larger disk`)]
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  let store: Store | undefined
  try {
    store = await openStore(config, createLog('silent'))
    return await examine(store, config)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // Its sentence says what to do.
    if (error instanceof PoolerRefusal) return [ill(reason)]
    const advice = config.databaseUrl
      ? 'check DATABASE_URL'
      : 'see postgres.log in the data folder, or set DATABASE_URL'
    return [ill(`${reason}: ${advice}`)]
  } finally {
    await store?.close()
  }
}

async function examine({ db }: Store, config: Config): Promise<Finding[]> {
  const before = Date.now()
  const server = await readServerFacts(db)
  const after = Date.now()
  if (!server) return [ill('the database gave no answer')]
  const skew = Math.max(0, before - server.now.getTime(), server.now.getTime() - after)
  return [
    server.version >= 150_000
      ? fine(`PostgreSQL ${Math.floor(server.version / 10_000)}, in its newest shape`)
      : ill(`PostgreSQL ${Math.floor(server.version / 10_000)} is too old: 15 or newer is needed`),
    server.encoding === 'UTF8'
      ? fine('encoding UTF8')
      : ill(`encoding ${server.encoding}: create the database with ENCODING 'UTF8'`),
    skew <= 2_000
      ? fine('its clock agrees with ours')
      : ill(`its clock differs from ours by ${Math.round(skew / 1000)} s: run NTP on both machines`),
    checkConnections(server.connections, config),
  ]
}

/** Besides its pools a process has connections that receive notices, renew its lease, stamp its calls (D562) and store their events (D565). */
function checkConnections(allowed: number, { databasePool, databaseCallPool, databaseSearchPool }: Config) {
  const needed = databasePool + databaseCallPool + databaseSearchPool + 5
  const sentence = `${allowed} connections allowed, a process with these settings uses up to ${needed}`
  return allowed >= needed
    ? fine(`${sentence}: enough for ${Math.floor(allowed / needed)}`)
    : ill(`${sentence}: raise its max_connections, or lower DATABASE_POOL and its brothers`)
}

function checkConsole({ console, dataDir }: Config): Finding {
  if (!console) return fine('not served (CONSOLE, ROLES)')
  const found = inspectConsole(dataDir)
  if (found === 'built') return fine('built')
  if (found === 'buildable') return fine('is built at the next start')
  return ill('cannot be built, as the package vite is missing: run npm ci, or set CONSOLE=off')
}

async function checkMail({ smtpUrl, mailFrom }: Config): Promise<Finding[]> {
  if (!smtpUrl) return [fine('kept in the development mailbox; set SMTP_URL and MAIL_FROM to send it')]
  const transport = createSmtpTransport(smtpUrl, mailFrom ?? '')
  const problem = await transport.check()
  transport.close()
  return [problem ? ill(`${problem}: check SMTP_URL`) : fine('the mail server takes our login')]
}

async function checkRedis({ redisUrl }: Config): Promise<Finding[]> {
  if (!redisUrl) return [fine('not used; one process counts rate limits for itself')]
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 3_000 })
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.ping()
    return [fine('answers')]
  } catch (error) {
    return [ill(`${error instanceof Error ? error.message : error}: check REDIS_URL`)]
  } finally {
    redis.disconnect()
  }
}
