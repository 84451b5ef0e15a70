/** The TypeScript client as the compiler sees it: `npm run check` fails where these are not so. */
import { expectTypeOf, test } from 'vitest'
import { Ramal, type User, type WebhookEvent, webhooks } from '../../clients/typescript/src/index.ts'

type Lead = { lead: number; campaign?: string }
const ramal = new Ramal<Lead>({ baseUrl: 'http://localhost:3000' })

test('metadata has the type that the program gives it, on calls and on their events', () => {
  expectTypeOf(ramal.calls.place).parameter(0).toExtend<{ metadata?: Lead }>()
  expectTypeOf<Awaited<ReturnType<typeof ramal.calls.get>>['metadata']>().toEqualTypeOf<Lead>()
  type Listed = ReturnType<typeof ramal.calls.list> extends AsyncGenerator<infer Call> ? Call : never
  expectTypeOf<Listed['metadata']>().toEqualTypeOf<Lead>()
  type Feed = ReturnType<typeof ramal.events.follow> extends AsyncGenerator<infer Event> ? Event : never
  expectTypeOf<Extract<Feed, { eventType: 'channel-hangup' }>['metadata']>().toEqualTypeOf<Lead>()
  expectTypeOf<Extract<Feed, { eventType: 'charge-paid' }>['metadata']>().toEqualTypeOf<
    Record<string, unknown>
  >()
  expectTypeOf<Feed['cursor']>().toEqualTypeOf<string>()
})

test('the type of an event narrows its payload', () => {
  expectTypeOf(webhooks.verify).returns.resolves.toEqualTypeOf<WebhookEvent>()
  expectTypeOf<
    Extract<WebhookEvent, { eventType: 'channel-transfer' }>['transferTo']
  >().toEqualTypeOf<string>()
  const describeEvent = (event: WebhookEvent) =>
    event.eventType === 'channel-hangup' ? event.hangupCause : event.domain
  expectTypeOf(describeEvent).returns.toEqualTypeOf<string>()
  // @ts-expect-error: a call that was answered has no cause of its end.
  type _NoCause = Extract<WebhookEvent, { eventType: 'channel-answer' }>['hangupCause']
})

test('every route can be requested, with the types of the API description', () => {
  const me = () => ramal.request('GET', '/users/me')
  expectTypeOf(me).returns.resolves.toEqualTypeOf<User>()
  const one = () => ramal.request('GET', '/users/{uuid}', { path: { uuid: 'u' } })
  expectTypeOf(one).returns.resolves.toEqualTypeOf<User>()
  const created = () =>
    ramal.request('POST', '/users', {
      body: { name: 'Bia', email: 'b@a.example', phone: '48', role: 'USER' },
    })
  expectTypeOf(created).returns.resolves.toExtend<{ email: string }>()
  // @ts-expect-error: the path needs its id.
  const without = () => ramal.request('GET', '/users/{uuid}')
  // @ts-expect-error: there is no such route.
  const unknown = () => ramal.request('GET', '/nothing')
  // @ts-expect-error: the body lacks what is required.
  const wrong = () => ramal.request('POST', '/calls', { body: { extension: '1000' } })
  // @ts-expect-error: a GET of this route has no body to send.
  const other = () => ramal.request('DELETE', '/users/me')
  expectTypeOf([without, unknown, wrong, other]).toBeArray()
})
