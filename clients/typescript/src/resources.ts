/** Resources around calls. For other routes: `ramal.request`. */
import type {
  Balance,
  Charge,
  ChargeUpdates,
  CreatedCharge,
  CreatedUser,
  Delivery,
  Extension,
  ExtensionPatch,
  ExtensionUpdates,
  Integration,
  IntegrationPatch,
  NewCharge,
  NewExtension,
  NewUser,
  NextExtension,
  StatementEntry,
  User,
} from './api-types.ts'
import {
  type Filter,
  type Page,
  type PageOptions,
  readAll,
  readPage,
  readUpdates,
  type UpdatesOptions,
} from './pages.ts'
import type { Transport } from './transport.ts'

/** Key of a request that creates: your own, for example to send it again after a restart. */
type Keyed = { idempotencyKey?: string }

class Resource {
  protected readonly transport: Transport
  readonly #path: string

  constructor(transport: Transport, path: string) {
    this.transport = transport
    this.#path = path
  }

  protected async send<T>(method: string, path = '', body?: unknown, options: Keyed = {}): Promise<T> {
    return (await this.transport.send(method, `${this.#path}${path}`, { body, ...options })) as T
  }

  protected async all<T>(filter?: Filter): Promise<T[]> {
    return (await this.transport.send('GET', this.#path, { query: { filter } })) as T[]
  }
}

const part = (id: number | string) => `/${encodeURIComponent(id)}`

export class Extensions extends Resource {
  constructor(transport: Transport) {
    super(transport, '/extensions')
  }
  list = (filter?: Filter) => this.all<Extension>(filter)
  get = (id: number) => this.send<Extension>('GET', part(id))
  create = (body: NewExtension, options?: Keyed) => this.send<Extension>('POST', '', body, options)
  /** On the next free number. */
  createNext = (body: NextExtension, options?: Keyed) =>
    this.send<Extension>('POST', '/next-available', body, options)
  /** Only with an `id` it changes one: without, the service creates another. */
  update = (body: ExtensionPatch & { id: number }) => this.send<Extension>('PATCH', '', body)
  delete = (id: number) => this.send<unknown>('DELETE', part(id))
  /** Pages of what is new, was changed or `removed`. */
  updates = (options?: UpdatesOptions) =>
    readUpdates<ExtensionUpdates>(this.transport, '/extensions/updated', options)
}

export class Integrations extends Resource {
  constructor(transport: Transport) {
    super(transport, '/integrations')
  }
  list = (filter?: Filter) => this.all<Integration>(filter)
  get = (id: number) => this.send<Integration>('GET', part(id))
  /** Creates it or, with `id`, changes it. The answer has the `secret` of the webhook. */
  save = (body: IntegrationPatch) => this.send<Integration>('PATCH', '', body)
  delete = (id: number) => this.send<unknown>('DELETE', part(id))
  /** Sends a test event. */
  test = (id: number) => this.send<unknown>('POST', `${part(id)}/test`)
  rotateSecret = (id: number) => this.send<Integration>('POST', `${part(id)}/rotate-secret`)
  deliveries = (id: number, filter?: Filter) =>
    readAll<Delivery>(this.transport, `/integrations${part(id)}/deliveries`, filter, undefined)
}

export class Charges extends Resource {
  constructor(transport: Transport) {
    super(transport, '/charges')
  }
  create = (body: NewCharge, options?: Keyed) => this.send<CreatedCharge>('POST', '', body, options)
  get = (id: number) => this.send<Charge>('GET', part(id))
  cancel = (id: number) => this.send<Charge>('PATCH', `${part(id)}/cancel`)
  list = (filter?: Filter) => readAll<Charge>(this.transport, '/charges', filter, undefined)
  /** Pages of what is new or was changed. */
  updates = (options?: UpdatesOptions) =>
    readUpdates<ChargeUpdates>(this.transport, '/charges/updated', options)
  page = (options?: PageOptions): Promise<Page<Charge>> => readPage(this.transport, '/charges', options)
}

export class Credits extends Resource {
  constructor(transport: Transport) {
    super(transport, '/credits')
  }
  balance = () => this.send<Balance>('GET', '/balance')
  statement = (filter?: Filter) =>
    readAll<StatementEntry>(this.transport, '/credits/statement', filter, undefined)
}

export class Users extends Resource {
  constructor(transport: Transport) {
    super(transport, '/users')
  }
  me = () => this.send<User>('GET', '/me')
  list = (filter?: Filter) => this.all<User>(filter)
  create = (body: NewUser, options?: Keyed) => this.send<CreatedUser>('POST', '', body, options)
}
