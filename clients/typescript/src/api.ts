/** Any route of the API, typed by its description. */
import type { paths } from './api-types.ts'
import type { Filter } from './pages.ts'
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

export class Api {
  protected readonly transport: Transport

  constructor(options: Options) {
    this.transport = new Transport(options)
  }

  /** The access token in use. */
  get token(): string | undefined {
    return this.transport.token
  }

  /** Any route of the API: `request('GET', '/users/{uuid}', { path: { uuid } })`. */
  async request<P extends keyof paths, T extends Method<P>>(
    method: T,
    path: P,
    ...[init]: Rest<Route<P, T>>
  ): Promise<SuccessOf<Route<P, T>>> {
    const { path: values, ...sending } = (init ?? {}) as AnyInit
    return (await this.transport.send(method, filled(path, values), sending)) as SuccessOf<Route<P, T>>
  }

  /** The same, with the body as a stream: `stream('GET', '/calls', { query: { format: 'csv' } })`. */
  async stream<P extends keyof paths, T extends Method<P>>(
    method: T,
    path: P,
    ...[init]: Rest<Route<P, T>>
  ): Promise<Response> {
    const { path: values, headers, ...sending } = (init ?? {}) as AnyInit
    const all = { ...sending, headers: { Accept: '*/*', ...headers } }
    return await this.transport.open(method, filled(path, values), all)
  }
}

function filled(path: string, values: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name])))
}
