/** Trunks: listed, added, changed, switched off and on, tested, removed, without a restart (D624, D668). */
import {
  OperatorNewTrunk,
  OperatorTrunk,
  OperatorTrunkChange,
  OperatorTrunkRemoval,
  OperatorTrunkRemoved,
  OperatorTrunkSwitch,
  OperatorTrunks,
  OperatorTrunkTest,
} from '../../../../contract/operator-trunks.ts'
import type { Nodes } from '../../../../nodes/nodes.ts'
import type { KnownTrunk } from '../../../../voice/trunks/known-trunks.ts'
import type { StoredTrunks } from '../../../../voice/trunks/stored-trunks.ts'
import type { TrunkChanges } from '../../../../voice/trunks/trunk-changes.ts'
import type { TrunkTests } from '../../../../voice/trunks/trunk-tests.ts'
import { type AnyOperatorEntry, operatorEntry } from '../operator-entry.ts'
import { presentTest, presentTrunk } from './present-trunks.ts'
import { orRefuseSettings, refusalOf } from './trunk-refusals.ts'

export type TrunkDeps = {
  nodes: Nodes
  storedTrunks: StoredTrunks
  trunkChanges: TrunkChanges
  trunkTests: TrunkTests
  /** Whether calls go to the sandbox carrier. */
  usesSandbox: boolean
}

const params = { name: 'backup' }

export function trunkEntries(deps: TrunkDeps): AnyOperatorEntry[] {
  const { nodes, storedTrunks, trunkChanges, trunkTests, usesSandbox } = deps

  const voiceNodes = async () =>
    (await nodes.list()).filter(({ alive, roles }) => alive && roles.includes('voice'))

  async function present(trunk: KnownTrunk) {
    return presentTrunk(trunk, await voiceNodes())
  }

  return [
    operatorEntry({
      method: 'GET',
      path: '/trunks',
      about: 'List the trunks, on and off, with their settings and their state at each node',
      notes: 'Passwords are never answered.',
      reply: OperatorTrunks,
      async run() {
        const alive = await voiceNodes()
        const known = await storedTrunks.readAll()
        return { sandbox: usesSandbox, rows: known.map((trunk) => presentTrunk(trunk, alive)) }
      },
    }),
    operatorEntry({
      method: 'POST',
      path: '/trunks',
      about: 'Add a trunk',
      notes:
        'Every voice node uses it within a second. The password is stored sealed. Its fields are those of the setting TRUNKS. In the log of the operator.',
      body: OperatorNewTrunk,
      reply: OperatorTrunk,
      errors: ['ROUTE_NOT_FOUND'],
      async run({ body: { on = true, reason, ...given } }) {
        const added = await orRefuseSettings(() =>
          trunkChanges.add({ given, isOn: on, reason: reason.trim() }),
        )
        if (typeof added === 'string') throw refusalOf(added, given.name)
        return await present(added)
      },
    }),
    operatorEntry({
      method: 'PATCH',
      path: '/trunks/:name',
      about: 'Change a trunk that was added here',
      notes:
        'Fields that are left out stay as they are, the password too. Every voice node follows within a second; live calls go on, and count as its calls. Those of TRUNKS are changed there, with a restart. In the log of the operator, with each field as it was and as it is; if nothing is different, nothing changes.',
      params,
      body: OperatorTrunkChange,
      reply: OperatorTrunk,
      errors: ['ROUTE_NOT_FOUND'],
      async run({ params: { name = '' }, body: { reason, ...given } }) {
        const changed = await orRefuseSettings(() =>
          trunkChanges.edit(name, { given, reason: reason.trim() }),
        )
        if (typeof changed === 'string') throw refusalOf(changed, name)
        return await present(changed)
      },
    }),
    operatorEntry({
      method: 'POST',
      path: '/trunks/:name/switch',
      about: 'Switch a trunk off or on',
      notes:
        'One that is off gets no new calls, and none are taken from it; its live calls go on, and we no longer register there. Also for trunks of TRUNKS. In the log of the operator; of one that is so already nothing changes.',
      params,
      body: OperatorTrunkSwitch,
      reply: OperatorTrunk,
      errors: ['ROUTE_NOT_FOUND'],
      async run({ params: { name = '' }, body: { on, reason } }) {
        const changed = await trunkChanges.setOn(name, on, reason.trim())
        if (typeof changed === 'string') throw refusalOf(changed, name)
        return await present(changed)
      },
    }),
    operatorEntry({
      method: 'POST',
      path: '/trunks/:name/test',
      about: 'Test a trunk by OPTIONS, from every voice node',
      notes: 'Also one that is off. Answered once every node has reported, after 7 seconds at the latest.',
      params,
      reply: OperatorTrunkTest,
      errors: ['ROUTE_NOT_FOUND'],
      async run({ params: { name = '' } }) {
        const known = (await storedTrunks.readAll()).find(({ settings }) => settings.name === name)
        if (!known) throw refusalOf('unknown', name)
        const asked = await voiceNodes()
        const tested = await trunkTests.test(
          name,
          asked.map(({ id }) => id),
        )
        return presentTest(name, tested, asked)
      },
    }),
    operatorEntry({
      method: 'POST',
      path: '/trunks/:name/remove',
      about: 'Remove a trunk that was added here',
      notes:
        'Its live calls go on. Those of TRUNKS are removed there, with a restart. In the log of the operator.',
      params,
      body: OperatorTrunkRemoval,
      reply: OperatorTrunkRemoved,
      errors: ['ROUTE_NOT_FOUND'],
      async run({ params: { name = '' }, body: { reason } }) {
        const removed = await trunkChanges.remove(name, reason.trim())
        if (typeof removed === 'string') throw refusalOf(removed, name)
        return { name }
      },
    }),
  ]
}
