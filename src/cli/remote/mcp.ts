/** `mcp`: the tools of `/mcp` over standard input and output, for assistants that start a program (D573). */
import { createInterface } from 'node:readline'
import { version } from '../../http/version.ts'
import { defined } from '../../kit/defined.ts'
import { command } from '../../kit/process/command.ts'
import { ApiRefusal, type CallApi, pathWithQuery } from '../../mcp/api.ts'
import { type GuardRails, railTexts, readGuardRails } from '../../mcp/guard-rails.ts'
import { createMcp } from '../../mcp/protocol.ts'
import { complain, say } from '../say.ts'
import { readOptions, UsageError } from '../usage.ts'
import {
  explainFailure,
  openRemote,
  type RemoteService,
  readRemote,
  remoteOptions,
  remoteUsage,
} from './remote-service.ts'

export const usage = `Usage: ${command} mcp [--allow <numbers>] [options]

Serves assistants by the Model Context Protocol over standard input and output: place and end calls, list them, tell what
happened in one, show the balance. Each step uses the API with your token. Without --allow no call is placed.

  --allow <numbers>      ${railTexts.allow}
  --ceiling <reais>      what calls of assistants may cost in 24 hours (10.00)
  --dry-run              calls only the sandbox carrier; with another one it says what it would do
${remoteUsage}`

const timeoutMs = 30_000

export async function runRemote(env: NodeJS.ProcessEnv, args: string[]): Promise<number> {
  const { values } = readOptions({
    args,
    options: {
      ...remoteOptions,
      allow: { type: 'string' },
      ceiling: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const rails = readRails(values)
  const remote = readRemote(values, env)
  // An assistant shows little of what goes wrong later.
  await openRemote(remote)
    .request('GET', '/console/session')
    .catch((error: unknown) => {
      throw explainFailure(error, remote.url)
    })
  await serve(createCallApi(remote), rails)
  return 0
}

function readRails({
  allow,
  ceiling,
  'dry-run': dryRun,
}: {
  allow?: string
  ceiling?: string
  'dry-run': boolean
}): GuardRails {
  const rails = readGuardRails({ allow, ceiling, dryRun })
  if ('wrong' in rails) throw new UsageError(`--${rails.wrong} is ${railTexts[rails.wrong]}.`)
  return rails
}

/** Until standard input ends, and what was asked before is answered. */
async function serve(callApi: CallApi, rails: GuardRails) {
  const mcp = createMcp({ version, onError: (error) => complain(String(error)) })
  const open = new Set<Promise<void>>()
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue
    const answered = answerLine(line).finally(() => open.delete(answered))
    open.add(answered)
  }
  await Promise.all(open)

  async function answerLine(line: string) {
    const { body } = await mcp.answer(readLine(line), { callApi, rails, now: new Date() })
    if (body) say(JSON.stringify(body))
  }
}

/** What is no JSON is no request either. */
function readLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function createCallApi({ url, token }: RemoteService): CallApi {
  return async (request) => {
    const { method, body, headers } = request
    const sent = { Authorization: `Bearer ${token}`, Accept: 'application/json', ...headers }
    try {
      const response = await fetch(`${url}/api/v1${pathWithQuery(request)}`, {
        method,
        redirect: 'manual',
        headers: body ? { ...sent, 'Content-Type': 'application/json' } : sent,
        signal: AbortSignal.timeout(timeoutMs),
        ...defined({ body: body && JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    } catch (error) {
      const { message, cause } = error as Error
      const reason = cause instanceof Error ? cause.message : message
      throw new ApiRefusal(`No answer of the service at ${url}: ${reason}`)
    }
  }
}
