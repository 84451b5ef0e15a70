import { expect, test } from 'vitest'
import { listProblems } from './problems.ts'

const now = new Date('2026-11-16T12:00:00.000Z')
const node = {
  id: 'n1',
  host: 'alpha',
  roles: ['voice'],
  address: null,
  state: 'active' as const,
  alive: true,
  calls: 0,
  phones: 0,
  version: '1',
  clockOffsetMs: 0,
  startedAt: now,
  trunks: [],
  parts: {},
}
const nothing = {
  now,
  nodes: [node],
  webhooks: [],
  mails: [],
  alerts: [],
  logged: [],
  domainOf: () => 'aurora.example',
}

test('D322: a service in good order has no problems', () => {
  expect(listProblems(nothing)).toEqual([])
})

test('what is wrong now comes first: lost nodes, clocks, trunks', () => {
  const trunk = { name: 'main', channels: 10, used: 0, problems: ['Trunk main does not answer OPTIONS'] }
  const nodes = [
    { ...node, state: 'lost' as const, alive: false, trunks: [trunk] },
    { ...node, host: 'beta', clockOffsetMs: -2001, trunks: [trunk] },
  ]
  const logged = [{ at: '2026-11-16T12:30:00.000Z', level: 'warn' as const, text: 'late' }]
  expect(listProblems({ ...nothing, nodes, logged }).map(({ kind, detail }) => [kind, detail])).toEqual([
    ['node-lost', 'n1'],
    ['clock', '-2.001 s'],
    ['trunk', 'Trunk main does not answer OPTIONS'],
    ['log', 'late'],
  ])
})

test('what happened is shown with the newest first', () => {
  const at = (minute: number) => new Date(now.getTime() - minute * 60_000)
  const found = listProblems({
    ...nothing,
    webhooks: [{ accountId: 1, code: 'crm', error: 'answered 500', at: at(20) }],
    mails: [
      { recipient: 'a@b.example', error: 'refused', at: at(30), isGivenUp: false },
      { recipient: 'c@d.example', error: 'no such user', at: at(5), isGivenUp: true },
    ],
    alerts: [{ accountId: 1, rule: 'velocity', at: at(10) }],
  })
  expect(found).toEqual([
    { kind: 'mail-given-up', at: at(5).toISOString(), recipient: 'c@d.example', detail: 'no such user' },
    { kind: 'alert', at: at(10).toISOString(), domain: 'aurora.example', rule: 'velocity', detail: '' },
    { kind: 'webhook', at: at(20).toISOString(), domain: 'aurora.example', detail: 'crm: answered 500' },
    { kind: 'mail', at: at(30).toISOString(), recipient: 'a@b.example', detail: 'refused' },
  ])
})
