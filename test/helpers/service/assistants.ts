/** Assistants: the official clients of both revisions of the Model Context Protocol, at `/mcp` and by `ramal mcp`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentHttp,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as CurrentStdio } from '@modelcontextprotocol/client/stdio'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FormerStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as FormerHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished } from 'vitest'

const root = process.env.RELEASE_UNDER_TEST ?? fileURLToPath(new URL('../../..', import.meta.url))
export const program = join(root, 'bin/ramal.js')

export type Rails = { allow?: string; ceiling?: string; dryRun?: boolean }
/** A service, and the token of an assistant. */
type Target = { url: string; token: string }

function addressOf({ url }: Target, { allow, ceiling, dryRun }: Rails): URL {
  const address = new URL('/mcp', url)
  if (allow !== undefined) address.searchParams.set('allow', allow)
  if (ceiling !== undefined) address.searchParams.set('ceiling', ceiling)
  if (dryRun) address.searchParams.set('dry_run', 'true')
  return address
}

const withToken = ({ token }: Target) => ({
  requestInit: { headers: { Authorization: `Bearer ${token}` } },
})

/** `ramal mcp` in the folder of somebody who has the package alone. `words` start `ramal`. */
export function programOf(
  { url, token }: Target,
  { allow, ceiling, dryRun }: Rails,
  [command = '', ...words]: string[] = [process.execPath, program],
) {
  const cwd = mkdtempSync(join(tmpdir(), 'ramal-laptop-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  return {
    command,
    args: [
      ...words,
      'mcp',
      ...(allow === undefined ? [] : ['--allow', allow]),
      ...(ceiling === undefined ? [] : ['--ceiling', ceiling]),
      ...(dryRun ? ['--dry-run'] : []),
    ],
    cwd,
    env: { PATH: process.env.PATH ?? '', RAMAL_URL: url, RAMAL_TOKEN: token, PORT: 'of another program' },
  }
}

const about = { name: 'test', version: '1.0.0' }

/** One shape for the clients of both revisions. */
type Assistant = {
  callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<Record<string, unknown>>
  listTools: () => Promise<{ tools: { name: string; annotations?: object | undefined }[] }>
  getInstructions: () => string | undefined
  close: () => Promise<void>
}

async function connectCurrent(transport: CurrentHttp | CurrentStdio): Promise<Assistant> {
  const client = new CurrentClient(about, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(transport)
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  return client
}

async function connectFormer(transport: FormerHttp | FormerStdio): Promise<Assistant> {
  const client = new FormerClient(about)
  await client.connect(transport as FormerStdio)
  return client as Assistant
}

type Way = (target: Target, rails: Rails) => Promise<Assistant>

export const overHttp: Way = (target, rails) =>
  connectCurrent(new CurrentHttp(addressOf(target, rails), withToken(target)))

/** By another `ramal`, that these words start. */
export const byProgram =
  (words: string[]): Way =>
  (target, rails) =>
    connectCurrent(new CurrentStdio(programOf(target, rails, words)))

export const ways: [string, Way][] = [
  ['2026-07-28 at /mcp', overHttp],
  ['2026-07-28 by ramal mcp', (target, rails) => connectCurrent(new CurrentStdio(programOf(target, rails)))],
  [
    '2025-11-25 at /mcp',
    (target, rails) => connectFormer(new FormerHttp(addressOf(target, rails), withToken(target))),
  ],
  ['2025-11-25 by ramal mcp', (target, rails) => connectFormer(new FormerStdio(programOf(target, rails)))],
]

/** Until the test is over. */
export async function connect(way: Way, target: Target, rails: Rails = {}) {
  const assistant = await way(target, rails)
  onTestFinished(() => assistant.close())
  const use = async (name: string, args: Record<string, unknown> = {}) => {
    const { structuredContent, content, isError } = await assistant.callTool({ name, arguments: args })
    const [first] = content as { text: string }[]
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries.
    return { isError: isError === true, text: first?.text ?? '', value: structuredContent as any }
  }
  return { assistant, use }
}
