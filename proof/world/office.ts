/** Accounts with extensions, numbers and webhooks, set up before the faults begin. */
import { basePath } from '../../src/http/entry.ts'
import { inside } from '../sim/globals.ts'
import type { ServiceProcess } from '../sim/service-process.ts'
import { type Hook, receiverKinds } from './receivers.ts'
import type { World } from './world.ts'

export type Extension = { id: number; number: string; line: string; isRecorded: boolean; password: string }

export type Office = {
  domain: string
  token: string
  extensions: Extension[]
  integrations: { id: number; name: string; types: string[] }[]
  /** Centavos below which it tops up. */
  lowWater: number
  /** It does so only when calls are about to be refused. */
  isScarce: boolean
  /** Sends a request as the administrator of the account. */
  send(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): ReturnType<World['anyApi']>
}

/** `rate`: calls of all offices in a second. */
type OfficePlan = { accounts: number; extensions: number; rate: number }

const callTypes = ['channel-answer', 'channel-hangup', 'channel-create', 'recording-ready', 'recording-lost']

type Deps = { world: World; first: ServiceProcess; plan: OfficePlan; addHook(path: string, hook: Hook): void }

export async function openOffices({ world, first, plan, addHook }: Deps): Promise<Office[]> {
  const offices: Office[] = []
  for (let index = 0; index < plan.accounts; index += 1) offices.push(await openOffice(index))
  return offices

  async function openOffice(index: number): Promise<Office> {
    const domain = `office-${index}.ramal.localhost`
    const { services } = first.app ?? {}
    if (!services) throw new Error('the service does not run')
    const { more } = await inside(first, () =>
      services.accounts.signups.createActive({
        organizationName: domain,
        domain,
        email: `admin@${domain}`,
        password: 'correct horse battery',
        phone: '554833334444',
        crm: 'Outros',
        userQuantity: '1-5',
      }),
    )
    const isScarce = index % 4 === 3
    const lowWater = isScarce ? 30 : Math.ceil((320 * plan.rate) / plan.accounts)
    const office: Office = {
      domain,
      token: more.id,
      extensions: [],
      integrations: [],
      lowWater,
      isScarce,
      send,
    }
    function send(
      method: 'GET' | 'POST' | 'PATCH',
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) {
      return world.anyApi({
        method,
        url: `${basePath}${path}`,
        headers: {
          authorization: more.id,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      })
    }
    for (let number = 0; number < plan.extensions; number += 1) {
      office.extensions.push(await addExtension(office, index, number))
    }
    for (const [nth, kind] of (
      ['good', receiverKinds[index % receiverKinds.length] ?? 'good'] as const
    ).entries()) {
      const path = `/hook/${domain}/${nth}`
      const { body } = await send('PATCH', '/integrations', {
        gateway: `crm-${nth}`,
        webhook: true,
        metadata: { webhookUrl: `http://crm.example${path}`, webhookVersion: '1.8', webhookTypes: callTypes },
      })
      const { id, secret } = body as { id: number; secret: string }
      const name = `${domain}/${id}`
      office.integrations.push({ id, name, types: callTypes })
      addHook(path, { integration: name, secret, kind })
    }
    return office
  }

  async function addExtension(office: Office, index: number, nth: number): Promise<Extension> {
    const number = String(1000 + nth)
    const line = `55483${String(index).padStart(3, '0')}${String(nth).padStart(4, '0')}`
    const { services } = first.app ?? {}
    await inside(first, async () => services?.extensions.numberAssignments.assign(line, office.domain))
    const isRecorded = nth % 3 === 0
    const { status, body } = await office.send('POST', '/extensions', {
      ramal: number,
      senha: 's3nha-do-ramal',
      bina: line,
      first_name: 'Ana 0',
      last_name: 'Souza',
      email_address: `ana${nth}@${office.domain}`,
      gravar_audio: isRecorded ? 1 : 0,
    })
    if (status !== 200) throw new Error(`extension: ${status} ${JSON.stringify(body)}`)
    return { id: (body as { id: number }).id, number, line, isRecorded, password: 's3nha-do-ramal' }
  }
}
