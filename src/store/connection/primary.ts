/**
 * D635: DATABASE_URL may name several servers, a primary and its replicas. Each new connection goes to the one that takes
 * writes: after a failover that is another.
 */
import pg from 'pg'
import { postgresUrls } from '../../kit/postgres-urls.ts'

export type Server = { host: string; port: number }
export type FindPrimary = () => Promise<Server>

/** A server that does not answer in this time is not there. */
const answerMs = 2_000
/** Connections that a pool opens together ask once. */
const keptMs = 1_000

/** `findPrimary`: undefined if there is one server. */
export function readServers(databaseUrl: string): { url: string; findPrimary: FindPrimary | undefined } {
  const urls = postgresUrls(databaseUrl)
  const [url = databaseUrl] = urls
  return { url, findPrimary: urls.length > 1 ? createFindPrimary(urls) : undefined }
}

function createFindPrimary(urls: readonly string[]): FindPrimary {
  let found: { server: Promise<Server>; at: number } | undefined

  return () => {
    if (found && performance.now() - found.at < keptMs) return found.server
    const server = Promise.any(urls.map(expectPrimary)).catch((error: AggregateError) => {
      found = undefined
      throw reasonOf(error)
    })
    found = { server, at: performance.now() }
    return server
  }
}

class Replica extends Error {
  constructor() {
    super('No server of DATABASE_URL takes writes')
  }
}

/** A server that cannot be reached says more than a replica that can. */
function reasonOf({ errors }: AggregateError): unknown {
  return errors.find((error) => !(error instanceof Replica)) ?? errors[0]
}

async function expectPrimary(url: string): Promise<Server> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'ramal finds the primary',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ replica: boolean }>('select pg_is_in_recovery() as replica')
    if (rows[0]?.replica) throw new Replica()
    return { host: client.host, port: client.port }
  } finally {
    client.end().catch(() => {})
  }
}

/** The client connects to the primary of that moment. */
export function connectToPrimary(client: pg.Client, findPrimary: FindPrimary | undefined) {
  if (!findPrimary) return
  const connect = client.connect.bind(client) as () => Promise<unknown>
  async function connectTo(server: Promise<Server>) {
    Object.assign(client, await server)
    await connect()
  }
  client.connect = ((callback?: (error: Error | null) => void) => {
    const connected = connectTo(findPrimary())
    if (!callback) return connected
    connected.then(() => callback(null), callback)
  }) as typeof client.connect
}
