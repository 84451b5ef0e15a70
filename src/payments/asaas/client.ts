/** Asaas over HTTP: one request, and whatever happens to it, one outcome. */
import { Pool } from 'undici'

/** A GET with a body is refused there. */
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Not sent: nothing can have happened there. Lost: sent, and nobody knows (no answer in time, an answer that is none,
 * their fault). `problem` is for people to read.
 */
export type Outcome =
  | { is: 'answered'; body: Record<string, unknown> }
  | { is: 'refused' | 'absent' | 'busy' | 'locked out' | 'not sent' | 'lost'; problem: string }

export type ClientSettings = {
  /** With the version: https://api.asaas.com/v3 */
  url: string
  apiKey: string
  /** For one request, in all. */
  timeoutMs?: number
}

const defaultTimeoutMs = 15_000
const maxBytes = 1024 * 1024
const maxConnections = 10
/** What undici and the system call a connection that never was. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export function createAsaasClient({ url, apiKey, timeoutMs = defaultTimeoutMs }: ClientSettings) {
  const { origin, pathname } = new URL(url)
  const base = pathname.replace(/\/+$/, '')
  const pool = new Pool(origin, {
    connections: maxConnections,
    connect: { timeout: Math.min(5_000, timeoutMs) },
    keepAliveTimeout: 4_000,
  })
  const headers = { access_token: apiKey, 'content-type': 'application/json', 'user-agent': 'Ramal' }

  async function ask(method: Method, path: string, body?: unknown): Promise<Outcome> {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const answer = await pool.request({
        method,
        path: `${base}${path}`,
        headers,
        signal,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return read(answer.statusCode, await readText(answer.body))
    } catch (error) {
      return failed(error)
    }
  }

  return { ask, close: () => pool.destroy() }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new RangeError('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function read(status: number, text: string): Outcome {
  const body = parse(text)
  if (status === 200)
    return body ? { is: 'answered', body } : { is: 'lost', problem: 'the answer is no JSON' }
  const problem = `answered ${status}${describe(body)}`
  if (status === 429) return { is: 'busy', problem }
  if (status === 401 || status === 403) return { is: 'locked out', problem }
  if (status === 404) return { is: 'absent', problem }
  return { is: status >= 400 && status < 500 ? 'refused' : 'lost', problem }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Their sentences are Portuguese prose: shown, never branched on. */
function describe(body: Record<string, unknown> | undefined): string {
  const errors = Array.isArray(body?.errors) ? body.errors : []
  const told = errors.filter(isRecord).map(({ code, description }) => `${code}: ${description}`)
  return told.length > 0 ? ` (${told.join('; ').slice(0, 500)})` : ''
}

function failed(error: unknown): Outcome {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const problem = error instanceof Error ? error.message || code : String(error)
  return { is: neverConnected.has(code) ? 'not sent' : 'lost', problem }
}
