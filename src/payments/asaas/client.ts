/** Asaas over HTTP: every request ends in a result, never in an exception. */
import { Pool } from 'undici'

/** Asaas refuses a GET with a body. */
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * not sent: nothing was done. lost: sent, but the result is unknown (timeout, unreadable answer, server error).
 * `problem` is for people to read.
 */
export type AsaasResult =
  | { is: 'answered'; body: Record<string, unknown> }
  | { is: 'refused' | 'absent' | 'busy' | 'locked out' | 'not sent' | 'lost'; problem: string }

export type ClientSettings = {
  /** With the version: https://api.asaas.com/v3 */
  url: string
  apiKey: string
  /** For a whole request. */
  timeoutMs?: number
}

const defaultTimeoutMs = 15_000
const maxBytes = 1024 * 1024
const maxConnections = 10
/** Error codes of undici and the system for a connection that was never made. */
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

  async function request(method: Method, path: string, body?: unknown): Promise<AsaasResult> {
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

  return { request, close: () => pool.destroy() }
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

function read(status: number, text: string): AsaasResult {
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

/** Asaas explains errors in Portuguese prose: logged, never branched on. */
function describe(body: Record<string, unknown> | undefined): string {
  const errors = Array.isArray(body?.errors) ? body.errors : []
  const reasons = errors.filter(isRecord).map(({ code, description }) => `${code}: ${description}`)
  return reasons.length > 0 ? ` (${reasons.join('; ').slice(0, 500)})` : ''
}

function failed(error: unknown): AsaasResult {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const problem = error instanceof Error ? error.message || code : String(error)
  return { is: neverConnected.has(code) ? 'not sent' : 'lost', problem }
}
