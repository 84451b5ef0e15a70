/** What an assistant can do, in the words in which it reads it (D573). Permissions, limits and audit are the API's. */
import { defined } from '../kit/defined.ts'
import { ApiRefusal, ask, type CallApi } from './api.ts'
import { type GuardRails, isAllowed, placedBy, priceOfMinute, spentToday } from './guard-rails.ts'

type Arguments = Record<string, unknown>

export type ToolContext = { callApi: CallApi; rails: GuardRails; now: Date }

export type Tool = {
  name: string
  title: string
  description: string
  inputSchema: object
  annotations: {
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
  run: (args: Arguments, context: ToolContext) => Promise<object>
}

const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const callId = { type: 'string', format: 'uuid', description: 'The id of the call' }

function schemaOf(properties: Record<string, object>, required: string[] = []) {
  return { type: 'object', properties, required, additionalProperties: false }
}

function text(args: Arguments, name: string): string {
  const value = args[name]
  if (typeof value !== 'string' || value.trim() === '') throw new ApiRefusal(`${name} is required, as text.`)
  return value.trim()
}

const callPath = (args: Arguments) => `/calls/${encodeURIComponent(text(args, 'id'))}`

async function placeCall(args: Arguments, { callApi, rails, now }: ToolContext): Promise<object> {
  const extension = text(args, 'extension')
  const called = text(args, 'called')
  if (!isAllowed(rails, called))
    throw new ApiRefusal(
      `${called} is not among the numbers that this server may call. Only its owner can list it: tell them.`,
    )
  const [spent, minute_price] = await Promise.all([spentToday(callApi, now), priceOfMinute(callApi, called)])
  if (inTenThousandths(spent + minute_price) > inTenThousandths(rails.ceiling))
    throw new ApiRefusal(
      `The ceiling of R$ ${rails.ceiling.toFixed(2)} in 24 hours is reached: calls of assistants cost R$ ${spent.toFixed(2)} so far, and a minute of this one R$ ${minute_price.toFixed(2)}.`,
    )
  const price = { minute_price, spent_in_24_hours: spent, ceiling: rails.ceiling }
  if (rails.dryRun && !(await usesSandboxCarrier(callApi)))
    return { placed: false, dry_run: true, extension, called, ...price }
  const metadata = { ...Object(args.metadata), ...placedBy }
  const body = { extension, called, metadata }
  const { id } = await ask<{ id: string }>(callApi, { method: 'POST', path: '/calls', body })
  return { placed: true, dry_run: rails.dryRun, id, extension, called, ...price }
}

/** As prices of a minute are: sums of fractions are not exact. */
const inTenThousandths = (reais: number) => Math.round(reais * 10_000)

async function usesSandboxCarrier(callApi: CallApi): Promise<boolean> {
  const session = { method: 'GET', path: '/console/session' } as const
  const { features } = await ask<{ features: { sandboxCarrier: boolean } }>(callApi, session)
  return features.sandboxCarrier
}

const listedFields = [
  'id',
  'call_type',
  'status',
  'started_at',
  'answered_at',
  'ended_at',
  'from',
  'to',
  'duration',
  'hangup_cause',
  'call_price',
  'metadata',
]
const maxListed = 50

async function listCalls(args: Arguments, { callApi }: ToolContext): Promise<object> {
  const where: Record<string, unknown> = {}
  for (const name of ['status', 'from', 'to']) if (args[name] !== undefined) where[name] = text(args, name)
  const from = args.since === undefined ? {} : { gte: text(args, 'since') }
  const until = args.until === undefined ? {} : { lt: text(args, 'until') }
  const span = { ...from, ...until }
  if (Object.keys(span).length > 0) where.started_at = span
  const limit = Math.min(Math.max(1, Math.trunc(Number(args.limit ?? 20)) || 20), maxListed)
  const cursor = args.cursor === undefined ? {} : { cursor: text(args, 'cursor') }
  const query = { filter: JSON.stringify({ where, fields: listedFields, limit }), ...cursor }
  const page = await ask<{ data: object[]; meta: { totalItemCount: number; nextCursor?: string } }>(callApi, {
    method: 'GET',
    path: '/calls',
    query,
  })
  const { totalItemCount, nextCursor } = page.meta
  return { calls: page.data, total: totalItemCount, ...defined({ next_cursor: nextCursor }) }
}

async function tellCall(args: Arguments, { callApi }: ToolContext): Promise<object> {
  const path = callPath(args)
  const [{ record_url, ...call }, { events, price }] = await Promise.all([
    ask<{ record_url: string }>(callApi, { method: 'GET', path }),
    ask<{ events: object[]; price: object | null }>(callApi, { method: 'GET', path: `${path}/events` }),
  ])
  // The link opens the recording without a token: it does not go to the model.
  return { call, has_recording: record_url !== '', events, price }
}

async function listExtensions(_: Arguments, { callApi }: ToolContext): Promise<object> {
  const filter = JSON.stringify({ fields: ['ramal', 'first_name', 'last_name', 'registered'] })
  return { extensions: await ask(callApi, { method: 'GET', path: '/extensions', query: { filter } }) }
}

export const tools: readonly Tool[] = [
  {
    name: 'place_call',
    title: 'Place a call',
    description:
      'Rings the phone of an extension and, once it is answered, dials the number and connects the two. A person must ' +
      'be at the extension. Calls cost money: ask before you call. Numbers that are not listed are refused, and so is a ' +
      'call above the spending ceiling. With dry_run true in the answer nobody outside was called.',
    inputSchema: schemaOf(
      {
        extension: { type: 'string', description: 'Whose phone rings first, such as 1000' },
        called: {
          type: 'string',
          description: 'The number to dial, such as +55 48 3333-4444, or an extension',
        },
        metadata: { type: 'object', description: 'Kept with the call, such as {"lead": 7}' },
      },
      ['extension', 'called'],
    ),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    run: placeCall,
  },
  {
    name: 'hang_up',
    title: 'Hang up',
    description: 'Ends a call that rings or is talked in.',
    inputSchema: schemaOf({ id: callId }, ['id']),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    run: async (args, { callApi }) => ask(callApi, { method: 'POST', path: `${callPath(args)}/hangup` }),
  },
  {
    name: 'list_calls',
    title: 'List calls',
    description:
      'Calls of the account, newest first: who called whom, when, how long, how it ended, what it cost.',
    inputSchema: schemaOf({
      status: {
        type: 'string',
        enum: ['queued', 'ringing', 'answered', 'completed', 'busy', 'no_answer', 'failed', 'cancelled'],
      },
      from: { type: 'string', description: 'The extension or number that called' },
      to: { type: 'string', description: 'The number that was called' },
      since: { type: 'string', description: 'Began at or after, such as 2026-11-15T12:30:00Z' },
      until: { type: 'string', description: 'Began before' },
      limit: { type: 'integer', minimum: 1, maximum: maxListed, description: '20 by default' },
      cursor: { type: 'string', description: 'next_cursor of the answer before, with the same filters' },
    }),
    annotations: reading,
    run: listCalls,
  },
  {
    name: 'call_story',
    title: 'Story of a call',
    description:
      'One call: what happened when, why it ended, the quality of the sound, how the price came about.',
    inputSchema: schemaOf({ id: callId }, ['id']),
    annotations: reading,
    run: tellCall,
  },
  {
    name: 'list_extensions',
    title: 'List extensions',
    description: 'Extensions of the account, and whether a phone is registered, which a call needs.',
    inputSchema: schemaOf({}),
    annotations: reading,
    run: listExtensions,
  },
  {
    name: 'balance',
    title: 'Balance',
    description:
      'Credit of the account in reais: balance, what live calls have reserved, and what is available.',
    inputSchema: schemaOf({}),
    annotations: reading,
    run: async (_, { callApi }) => ask(callApi, { method: 'GET', path: '/credits/balance' }),
  },
]
