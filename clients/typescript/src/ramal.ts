import { Api } from './api.ts'
import type { AccessToken } from './api-types.ts'
import { Calls } from './calls.ts'
import { SecondFactorRequiredError } from './errors.ts'
import { Events, type Metadata } from './events.ts'
import { Charges, Credits, Extensions, Integrations, Users } from './resources.ts'
import type { Options } from './transport.ts'

export type Login = {
  email: string
  password: string
  /** Code of the second factor, or a function that is called only if one is required. */
  code?: string | (() => string | Promise<string>)
  /** Seconds that the token lives; 14 days by default. */
  ttl?: number
}

/** `M` is the type of your metadata, on calls and on their events. */
export class Ramal<M extends Metadata = Metadata> extends Api {
  readonly calls: Calls<M>
  readonly events: Events<M>
  readonly extensions: Extensions
  readonly integrations: Integrations
  readonly charges: Charges
  readonly credits: Credits
  readonly users: Users

  constructor(options: Options) {
    super(options)
    this.calls = new Calls(this.transport)
    this.events = new Events(this.transport)
    this.extensions = new Extensions(this.transport)
    this.integrations = new Integrations(this.transport)
    this.charges = new Charges(this.transport)
    this.credits = new Credits(this.transport)
    this.users = new Users(this.transport)
  }

  /** Logs in and uses the new token from now on. */
  async login({ code, ...credentials }: Login): Promise<AccessToken> {
    const send = async (given: string | undefined) =>
      (await this.transport.send('POST', '/users/login', {
        body: { ...credentials, code: given },
      })) as AccessToken
    const isAsked = typeof code === 'function'
    const answer = await send(isAsked ? undefined : code).catch(async (error) => {
      if (!isAsked || !(error instanceof SecondFactorRequiredError)) throw error
      return await send(await code())
    })
    this.transport.token = answer.id
    return answer
  }

  /** Ends the token. */
  async logout(): Promise<void> {
    await this.transport.send('POST', '/users/logout')
    this.transport.token = undefined
  }
}
