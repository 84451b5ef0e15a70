/**
 * A route entry declares everything about a route: permission, rate limit, request and response schemas, errors.
 * Reading `routes/` is reading the list of endpoints.
 */
import type { Readable } from 'node:stream'
import type { ErrorCode, Refusal } from '../contract/errors.ts'
import type { LimitName } from '../contract/limits.ts'
import type { Static, TSchema } from '../contract/schema/type.ts'
import type { Maybe } from '../kit/maybe.ts'
import type { Language } from '../kit/text/language.ts'
import type { Database } from '../store/database.ts'
import type { Caller } from '../users/caller.ts'
import type { Permission } from '../users/permissions.ts'
import type { RouteScope } from '../users/scopes.ts'
import type { Credential } from './server/credentials.ts'

/** Spec §9: the version is in the path. */
export const basePath = '/api/v1'

/** How the API reference groups the routes. */
export const tags = {
  Account: 'Signing up, activating, and the account itself',
  Users: 'People of the account and their roles',
  Calls: 'Calling, hanging up, and the calls of the account',
  Extensions: 'SIP users of the account: what a softphone is set up with',
  Contacts: 'People whom the account calls and is called by',
  Numbers: 'Telephone numbers that the account presents and is called by, once it has proven them',
  Integrations: 'What a user has connected, and the webhooks that receive events',
  Events: 'What happened to calls, to be fetched instead of received',
  Charges: 'Payments that are asked for, and become credit',
  Credits: 'What the account has, and how it came about',
  Console: 'What the web console needs besides: its session',
  'Access tokens': 'Logging in, and the tokens that stand for a user',
  Status: 'Whether the service works, and what happened lately',
  Description: 'The API, described for programs',
} as const

export type Query = Record<string, string | string[] | undefined>

/** A request as a route gets it, already checked against the route's schemas. */
type RouteRequest<Body, CallerOrNone, Answer> = {
  caller: CallerOrNone
  body: Body
  params: Record<string, string>
  query: Query
  headers: Record<string, string | string[] | undefined>
  /** The client's, as the rate limits count it (D105). */
  address: string
  /** The JSON of an object in the body as it was sent, for objects whose numbers must keep every digit. */
  jsonOf: (field: string) => string | undefined
  /** Language of the answer, on routes that are `translated`; English unless another is preferred. */
  language: Language
  /** For routes that take a token without requiring one. */
  credential: () => Credential | undefined
  /** D296: a page of this service sent it. */
  isFromOwnOrigin: () => boolean
  /** A header of the answer. */
  setHeader: (name: string, value: string) => void
  /** D227: false once the client has left, or the request has waited too long: then nothing is stored for it. */
  isWanted: () => boolean
  /** D560: id of what an earlier request with the Idempotency-Key began, and did not answer. */
  begun: number | undefined
  /** Saves it, in the transaction that begins the work. */
  noteBegun: (tx: Database, id: number) => Promise<void>
  /** On idempotent routes: saves the answer in the transaction that makes it true (D18). */
  saveAnswer: (tx: Database, answer: Answer) => Promise<void>
}

/** A query parameter as the API reference describes it; a number as its example makes it a whole number. */
export type QueryParameter = { about: string; example?: string | number; required?: true }

type Common<B extends TSchema, R extends TSchema> = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'HEAD'
  path: string
  /** One line for the API reference. */
  about: string
  /** More for the API reference, in Markdown. */
  notes?: string
  tag: keyof typeof tags
  limit: LimitName
  /** D471: what a request counts as among those of its account; 1 unless given. */
  weight?: number
  body?: B
  /** A request without a body is valid. */
  bodyOptional?: true
  /** The form of a page may be sent in place of JSON. */
  form?: true
  /** Query parameters the route reads, with what they mean; any other is refused (D25). */
  query?: Record<string, string | QueryParameter>
  /** Examples of path parameters, where no property of the reply has the same name. */
  params?: Record<string, string>
  /** Headers of its own that the route reads. */
  headers?: Record<string, { about: string; example: string }>
  reply?: R
  /** The media types of a Download: `audio/wav`. */
  media?: string | readonly string[]
  /** Columns of a CSV file after those that records always have. */
  moreColumns?: readonly string[]
  /** A part of it, where it is text. */
  mediaExample?: string
  /** A token may be sent, and is read by the route itself. */
  tokenOptional?: true
  /** D102: status of a success, 200 unless given. */
  status?: 200 | 201 | 204
  /** Errors of this route, besides those that any route can answer. */
  errors?: ErrorCode[]
  /** Replaces the 422 for a body that violates its schema. */
  refuseBody?: (fields: string[]) => Refusal | undefined
  /** D117: `Provisional` where the work is committed before its result, and so the final answer, is known. */
  idempotent?: true | Provisional<Static<R>>
  /** D242: works while the database is away, too, for callers that this process knows. */
  withoutDatabase?: true
  /** The success has texts in the client's language (D158). */
  translated?: true
  /** D673: the answer names a call, by `callId` or else `id`. */
  answersCall?: true
  /** D647: it ends the session of the request, which one that only reads may do too. */
  endsSession?: true
  /** D5: the route keeps working, and every answer says that it is deprecated. */
  deprecated?: { since: Date; successor: string }
}

/** `isVoid`: whether the work behind an answer came to nothing, so that its key is free (D563). */
type Provisional<T> = { isVoid(answer: T): Promise<boolean> }

type Answer<R extends TSchema> = Static<R> | Page | Download

type ForCallers<B extends TSchema, R extends TSchema> = {
  may: Permission
  /** D204: what a limited token needs. */
  scope: RouteScope
  run: (request: RouteRequest<Static<B>, Caller, Static<R>>) => Maybe<Answer<R>>
}

type ForAnyone<B extends TSchema, R extends TSchema> = {
  may: 'anyone'
  /** Scope that a token must have, if one is sent. */
  scope?: RouteScope
  run: (request: RouteRequest<Static<B>, undefined, Static<R>>) => Maybe<Answer<R>>
}

export type Entry<B extends TSchema = TSchema, R extends TSchema = TSchema> = Common<B, R> &
  (ForCallers<B, R> | ForAnyone<B, R>)

/** An entry without the types of its schemas, as the server uses it. */
export type AnyEntry = Common<TSchema, TSchema> & {
  /** Identifies the route in rate limits and saved answers: `POST /users`. */
  route: string
  /** The path as the server matches it. */
  pattern: string
  may: Permission | 'anyone'
  scope?: RouteScope
  run: (request: RouteRequest<unknown, Caller | undefined, unknown>) => Maybe<unknown>
}

/** Type-checks an entry against its own schemas. */
export function entry<B extends TSchema, R extends TSchema>(definition: Entry<B, R>): AnyEntry {
  const { method, path } = definition
  return { ...definition, route: `${method} ${path}`, pattern: `${basePath}${path}` } as unknown as AnyEntry
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

/** An answer that is JSON already: parsing and writing it again would change numbers. */
export function jsonAnswer(text: string): Download {
  return new Download(200, { 'Content-Type': 'application/json; charset=utf-8' }, text)
}

/** An answer that is streamed rather than serialised; without a body only its headers are sent. */
export class Download {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Readable | Buffer | string | undefined

  constructor(status: number, headers: Record<string, string>, body?: Readable | Buffer | string) {
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** An answer without an end, such as server-sent events: it is no request in progress any more (D228). */
export class EventStream extends Download {}
