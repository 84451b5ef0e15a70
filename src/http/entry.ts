/**
 * A route entry says all there is to know about a route: who may, how often, what goes in, what
 * comes out, what can go wrong. Reading `routes/` is reading the list of endpoints.
 */
import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import type { ErrorCode, Refusal } from '../contract/errors.ts'
import type { LimitName } from '../contract/limits.ts'
import type { Database } from '../store/database.ts'
import type { Caller } from '../users/caller.ts'
import type { Permission } from '../users/permissions.ts'

/** Spec §9: the version is in the path. */
export const basePath = '/api/v1'

/** How the API reference groups the routes. */
export const tags = {
  Account: 'Signing up, activating, and the account itself',
  Users: 'People of the account and their roles',
  Calls: 'Calling, hanging up, and the calls of the account',
  Extensions: 'SIP users of the account: what a softphone is set up with',
  Integrations: 'What a user has connected, and the webhooks that are told of calls',
  Events: 'What happened to calls, to be fetched instead of received',
  Charges: 'Payments that are asked for, and become credit',
  Credits: 'What the account has, and how it came about',
  'Access tokens': 'Logging in, and the tokens that stand for a user',
  Description: 'The API, described for programs',
} as const

export type Query = Record<string, string | string[] | undefined>

/** Everything a route is asked, already checked against its schemas. */
type Asked<Body, Who, Answer> = {
  caller: Who
  body: Body
  params: Record<string, string>
  query: Query
  headers: Record<string, string | string[] | undefined>
  /** On idempotent routes: saves the answer in the transaction that makes it true (D18). */
  saveAnswer: (tx: Database, answer: Answer) => Promise<void>
}

type Common<B extends TSchema, R extends TSchema> = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'HEAD'
  path: string
  /** One line for the API reference. */
  about: string
  tag: keyof typeof tags
  limit: LimitName
  body?: B
  /** The body may be left out. */
  bodyOptional?: true
  /** Query parameters the route reads, with what they mean; any other is refused (D25). */
  query?: Record<string, string>
  reply?: R
  /** What a Download of this route is: `audio/wav`. */
  media?: string
  /** May be asked with a token too, which the route reads by itself. */
  tokenOptional?: true
  /** D102 */
  status?: 200 | 201
  /** What can go wrong here besides what can go wrong everywhere. */
  errors?: ErrorCode[]
  /** Answers a body that breaks its schema in another way than 422. */
  refuseBody?: (fields: string[]) => Refusal | undefined
  /** D117: `provisional` where the work is committed before its result, and so the final answer, is known. */
  idempotent?: true | 'provisional'
  /** It goes on working, and says so in every answer (D5). */
  deprecated?: { since: Date; successor: string }
}

type Answer<R extends TSchema> = Static<R> | Page | Download

export type Entry<B extends TSchema = TSchema, R extends TSchema = TSchema> = Common<B, R> &
  (
    | { may: Permission; run: (asked: Asked<Static<B>, Caller, Static<R>>) => Promise<Answer<R>> }
    | { may: 'anyone'; run: (asked: Asked<Static<B>, undefined, Static<R>>) => Promise<Answer<R>> }
  )

/** What the server needs of an entry, its own types forgotten. */
export type AnyEntry = Common<TSchema, TSchema> & {
  /** Its name where requests are counted and answers kept: `POST /users`. */
  route: string
  /** The path as the server matches it. */
  pattern: string
  may: Permission | 'anyone'
  run: (asked: Asked<unknown, Caller | undefined, unknown>) => Promise<unknown>
}

/** Checks an entry against its own schemas. */
export function entry<B extends TSchema, R extends TSchema>(wish: Entry<B, R>): AnyEntry {
  const { method, path } = wish
  return { ...wish, route: `${method} ${path}`, pattern: `${basePath}${path}` } as unknown as AnyEntry
}

/** An answer for people: HTML instead of JSON. */
export class Page {
  readonly html: string
  readonly status: number

  constructor(html: string, status = 200) {
    this.html = html
    this.status = status
  }
}

/** An answer that is no text of ours, sent as it is read; without a body it is only told of. */
export class Download {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Readable | string | undefined

  constructor(status: number, headers: Record<string, string>, body?: Readable | string) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}
