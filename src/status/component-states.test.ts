/** D625: states derived from what nodes report. */
import { expect, test } from 'vitest'
import { allOut, deriveStates, worst } from './component-states.ts'

type Node = Parameters<typeof deriveStates>[0][number]

const up = { name: 'main', channels: 1, used: 0, problems: [] }
const down = { ...up, problems: ['Trunk main does not respond'] }
const node = (more: Partial<Node> = {}): Node => ({
  roles: ['api', 'worker', 'voice'],
  state: 'active',
  alive: true,
  trunks: [up],
  parts: {},
  ...more,
})
const lost = (roles: string[]) => node({ roles, state: 'lost', alive: false, trunks: [] })

/** Those that are not operational. */
const troubled = (nodes: Node[], needsTrunks = true) =>
  Object.fromEntries(
    Object.entries(deriveStates(nodes, { needsTrunks })).filter(([, state]) => state !== 'operational'),
  )

test('a living node with all roles and a trunk that works is enough', () => {
  expect(troubled([node()])).toEqual({})
})

test('without a living node everything is out but recordings, of which nobody says anything', () => {
  const { recordings, payments, ...rest } = deriveStates([lost(['api', 'worker', 'voice'])], {
    needsTrunks: true,
  })
  expect([recordings, payments, new Set(Object.values(rest))]).toEqual([
    'operational',
    'degraded',
    new Set(['outage']),
  ])
})

test.each([
  [
    'all voice nodes drain',
    [node(), node()].map((one) => ({ ...one, state: 'draining' as const })),
    'outage',
  ],
  ['one of two drains', [node({ state: 'draining' }), node()], 'operational'],
  ['one of two is lost', [lost(['voice']), node()], 'degraded'],
  ['a process without phones is lost', [lost(['worker']), node()], 'operational'],
  ['there are none', [node({ roles: ['api', 'worker'] })], 'outage'],
])('calls when %s', (_title, nodes, state) => {
  expect(deriveStates(nodes, { needsTrunks: true }).calls).toBe(state)
})

test('the API is degraded while all that serve it drain, and works without a lost one', () => {
  const api = (nodes: Node[]) => deriveStates(nodes, { needsTrunks: true }).api
  expect(api([node({ state: 'draining' })])).toBe('degraded')
  expect(api([node(), lost(['api'])])).toBe('operational')
  expect(api([node({ roles: ['voice'] })])).toBe('outage')
})

test.each([
  ['every trunk is down at every node', [node({ trunks: [down] }), node({ trunks: [down] })], 'outage'],
  ['all trunks are switched off', [node({ trunks: [] })], 'outage'],
  ['one of two trunks is down', [node({ trunks: [down, up] })], 'degraded'],
  ['a trunk is down at one of two nodes', [node({ trunks: [down] }), node()], 'degraded'],
  ['the node whose trunk works drains', [node({ trunks: [down] }), node({ state: 'draining' })], 'outage'],
  [
    'a dead node reported a trunk that was down',
    [node(), node({ alive: false, trunks: [down] })],
    'operational',
  ],
])('outside calls when %s', (_title, nodes, state) => {
  expect(deriveStates(nodes, { needsTrunks: true }).carriers).toBe(state)
})

test('without trunks, as with the sandbox carrier, outside calls are as other calls', () => {
  expect(troubled([node({ trunks: [] })], false)).toEqual({})
  expect(troubled([node({ state: 'draining' })], false).carriers).toBe('outage')
})

test.each(['recordings', 'webhooks', 'payments'] as const)(
  '%s are out if all that tried fail, degraded if some do',
  (part) => {
    const failing = node({ parts: { [part]: 'failing' } })
    const working = node({ parts: { [part]: 'working' } })
    expect(troubled([failing, node()])).toEqual({ [part]: 'outage' })
    expect(troubled([failing, working])).toEqual({ [part]: 'degraded' })
    expect(troubled([{ ...failing, alive: false }, working])).toEqual({})
  },
)

test('without a worker no webhook is delivered, and payments are credited late', () => {
  const nodes = [node({ roles: ['api', 'voice'] })]
  expect(troubled(nodes)).toEqual({ webhooks: 'outage', payments: 'degraded' })
  expect(troubled([node({ roles: ['api', 'voice'], parts: { payments: 'failing' } })]).payments).toBe(
    'outage',
  )
})

test('the worst state of several is that of the service', () => {
  expect(worst([])).toBe('operational')
  expect(worst(['operational', 'maintenance', 'operational'])).toBe('maintenance')
  expect(worst(['maintenance', 'outage', 'degraded'])).toBe('outage')
  expect(worst(Object.values(allOut()))).toBe('outage')
})
