import type { AccessToken, paths } from './api-types.ts'
import { Calls } from './calls.ts'
import { SecondFactorRequiredError } from './errors.ts'
import { Events, type Metadata } from './events.ts'
import type { Filter } from './pages.ts'
import { Charges, Credits, Extensions, Integrations, Users } from './resources.ts'
import { type Options, Transport } from './transport.ts'

type Method<P extends keyof paths> = Uppercase<keyof paths[P] & string>
type Route<P extends keyof paths, T extends string> = paths[P][Lowercase<T> & keyof paths[P]]
type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : undefined
type SuccessOf<T> = T extends { responses: infer All } ? JsonOf<All[Exclude<keyof All, 'default'>]> : never
type BodyOf<T> = T extends { requestBody?: infer Body } ? JsonOf<NonNullable<Body>> : undefined
type QueryOf<T> = T extends { parameters: { query?: infer Query } }
  ? { [Name in keyof Query]: Name extends 'filter' ? Filter | string : Query[Name] | number }
  : undefined
type PathOf<T> = T extends { parameters: { path: infer Path } }
  ? { [Name in keyof Path]: string | number }
  : undefined
type Parts<T> = {
  [Name in 'body' | 'query' | 'path' as undefined extends Part<T>[Name] ? never : Name]: Part<T>[Name]
} & {
  body?: BodyOf<T>
  query?: QueryOf<T>
}
type Part<T> = {
  body: T extends { requestBody: object } ? BodyOf<T> : undefined
  query: T extends { parameters: { query: object } } ? QueryOf<T> : undefined
  path: PathOf<T>
}
type Common = { headers?: Record<string, string>; signal?: AbortSignal; idempotencyKey?: string }
type Rest<T> = object extends Parts<T> ? [init?: Parts<T> & Common] : [init: Parts<T> & Common]
type AnyInit = Common & { path?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }

export type Login = {
  email: string
  password: string
  /** Code of the second factor, or a function that is called only if one is required. */
  code?: string | (() => string | Promise<string>)
  /** Seconds that the token lives; 14 days by default. */
  ttl?: number
}

/** `M` is the type of your metadata, on calls and on their events. */
export class Ramal<M extends Metadata = Metadata> {
  readonly calls: Calls<M>
  readonly events: Events<M>
  readonly extensions: Extensions
  readonly integrations: Integrations
  readonly charges: Charges
  readonly credits: Credits
  readonly users: Users
  readonly #transport: Transport

  constructor(options: Options) {
    this.#transport = new Transport(options)
    this.calls = new Calls(this.#transport)
    this.events = new Events(this.#transport)
    this.extensions = new Extensions(this.#transport)
    this.integrations = new Integrations(this.#transport)
    this.charges = new Charges(this.#transport)
    this.credits = new Credits(this.#transport)
    this.users = new Users(this.#transport)
  }

  /** The access token in use. */
  get token(): string | undefined {
    return this.#transport.token
  }

  /** Logs in and uses the new token from now on. */
  async login({ code, ...credentials }: Login): Promise<AccessToken> {
    const send = async (given: string | undefined) =>
      (await this.#transport.send('POST', '/users/login', {
        body: { ...credentials, code: given },
      })) as AccessToken
    const isAsked = typeof code === 'function'
    const answer = await send(isAsked ? undefined : code).catch(async (error) => {
      if (!isAsked || !(error instanceof SecondFactorRequiredError)) throw error
      return await send(await code())
    })
    this.#transport.token = answer.id
    return answer
  }

  /** Ends the token. */
  async logout(): Promise<void> {
    await this.#transport.send('POST', '/users/logout')
    this.#transport.token = undefined
  }

  /** Any route of the API: `request('GET', '/users/{uuid}', { path: { uuid } })`. */
  async request<P extends keyof paths, T extends Method<P>>(
    method: T,
    path: P,
    ...[init]: Rest<Route<P, T>>
  ): Promise<SuccessOf<Route<P, T>>> {
    const { path: values, ...sending } = (init ?? {}) as AnyInit
    return (await this.#transport.send(method, filled(path, values), sending)) as SuccessOf<Route<P, T>>
  }

  /** The same, with the body as a stream: `stream('GET', '/calls', { query: { format: 'csv' } })`. */
  async stream<P extends keyof paths, T extends Method<P>>(
    method: T,
    path: P,
    ...[init]: Rest<Route<P, T>>
  ): Promise<Response> {
    const { path: values, headers, ...sending } = (init ?? {}) as AnyInit
    const all = { ...sending, headers: { Accept: '*/*', ...headers } }
    return await this.#transport.open(method, filled(path, values), all)
  }
}

function filled(path: string, values: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name])))
}
