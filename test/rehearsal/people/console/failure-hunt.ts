/** A developer hunts failures: a request that was refused, found by its id, and a receiver that answers 500. */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finderWords } from '../../../../console/finder/words.ts'
import { callPageWords } from '../../../../console/pages/calls/words.ts'
import { requestWords } from '../../../../console/pages/requests/words.ts'
import { commonWords } from '../../../../console/words/common.ts'
import { deliveryWords } from '../../../../console/words/deliveries.ts'
import { eventually } from '../../runner/polling.ts'
import { request } from '../../stage/api.ts'
import { customerOfConsole } from '../../stage/carrier.ts'
import { enter, read, rowWith } from '../../witnesses/tab.ts'
import { sample, startWebhookReceiver } from '../../witnesses/webhook-receiver.ts'
import type { Scene } from './console.ts'
import { signIn } from './shop.ts'
import { colleague } from './team.ts'

const firstCustomer = 70
const gateway = 'meus-pedidos'
/** The constraint of the integration. */
const orders = { origem: 'pedidos' }

export async function huntFailures(scene: Scene) {
  const { person, day, shop, tab } = scene
  const { service, carrier } = day
  const words = { ...commonWords[shop.language], ...callPageWords[shop.language] }
  const requests = requestWords[shop.language]
  const deliveries = deliveryWords[shop.language]
  const place = (body: object) =>
    fetch(`${service.api}/calls`, {
      method: 'POST',
      headers: { Authorization: shop.token, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })

  const program = join(day.evidence, `pedidos-${shop.at}.php`)
  const receiver = await person.step('has a program in PHP with a mistake', async () => {
    const text = await readFile(sample, 'utf8')
    const mistaken = text.replace('json_decode($body, true)', 'json_decode($body)')
    if (mistaken === text) throw new Error('the sample has no such line')
    await writeFile(program, mistaken)
    return await startWebhookReceiver((url) => register(scene, url), program)
  })
  person.atEnd(receiver.stop)
  await person.step('signs in at the log of requests', async () => {
    await signIn(tab, `${service.url}/console/requests`, shop.manager)
    await read(tab, requests.title, 'h1')
  })
  await person.step('looks up the X-Request-Id of a refused request, and sees at once why', async () => {
    const answer = await place({ extension: colleague.extension, called: 'amanhã' })
    const id = answer.headers.get('x-request-id') ?? ''
    if (answer.status !== 422) throw new Error(`answered ${answer.status}`)
    await tab.fill(requests.requestId, id)
    const { error } = (await answer.json()) as { error: { code: string } }
    await read(tab, id, 'main tbody')
    for (const part of ['POST /calls', '422', error.code]) await read(tab, part, 'main tbody')
  })
  /** With the body as it should be; returns the id of the call. */
  async function callCustomer(at: number): Promise<string> {
    const called = customerOfConsole(shop.at, at)
    const answer = await place({ extension: colleague.extension, called, metadata: orders })
    if (!answer.ok) throw new Error(`answered ${answer.status} ${await answer.text()}`)
    const { id } = (await answer.json()) as { id: string }
    const customer = await carrier.answeredBy(called)
    await customer.hangUp()
    await customer.ended()
    return id
  }
  const call = await person.step('mends the body: the call is placed and ends', () =>
    callCustomer(firstCustomer),
  )
  await person.step(
    'goes to the call by its id, where the webhook shows the 500 of the program',
    async () => {
      await tab.control('k')
      await tab.see('dialog [role=combobox]:focus')
      await tab.keys(call)
      await read(tab, finderWords[shop.language].openCall, '[role=listbox]')
      await tab.keys(enter)
      const row = await rowWith(tab, words.deliveries, gateway)
      await tab.press(deliveries.types['channel-hangup'] ?? '', row)
      await read(tab, '500', 'dialog ol')
    },
  )
  await person.step('mends the program and sends the webhook again, which arrives', async () => {
    await copyFile(sample, program)
    await tab.press(deliveries.resend, 'dialog')
    await read(tab, '204', 'dialog ol')
    await eventually(() => receiver.endedCalls().includes(call) || undefined, { what: 'the end of the call' })
  })
  await person.check('places the next call, whose webhook arrives by itself', async () => {
    const next = await callCustomer(firstCustomer + 1)
    await eventually(() => receiver.endedCalls().includes(next) || undefined, {
      what: 'the end of the next call',
    })
  })
}

/** The secret of an integration that has calls of orders only. */
async function register({ day, shop }: Scene, url: string): Promise<string> {
  const metadata = { webhookUrl: url, webhookVersion: '1.8', webhookTypes: ['channel-hangup'] }
  const input = { gateway, webhook: true, webhookConstraint: orders, metadata }
  const { secret } = await request<{ secret: string }>(
    shop.token,
    'PATCH',
    `${day.service.api}/integrations`,
    input,
  )
  return secret
}
