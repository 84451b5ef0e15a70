/** The nodes of the service: who is alive, where phones reach them (D300), and who is to drain (D248). */

import type { Clock } from '../kit/clock.ts'
import type { Database } from '../store/database.ts'
import { type Notices, notify } from '../store/notices/notices.ts'
import { recordOperatorChange } from '../users/audit/operator-log.ts'
import { type NodeRow, readNodes, readPhoneAddresses, requestDrain } from './nodes-store.ts'

const drainChannel = 'node_drain'
/** A killed process that nobody replaces is shown as lost for an hour. */
const lostSeconds = 3_600

/** Calls the listener when the operator has this node drain, or take work again. The request itself is in the database. */
export function onDrainNotice(notices: Pick<Notices, 'listen'>, node: string, listener: () => void) {
  notices.listen(drainChannel, (id) => {
    if (id === node) listener()
  })
}

/** `lost`: the lease of the node ran out without a stop. */
type ShownState = NodeRow['state'] | 'lost'

export type Node = Omit<NodeRow, 'state'> & { state: ShownState }

export function createNodes({ db, clock }: { db: Database; clock: Clock }) {
  return {
    /** The oldest first; stopped ones are known for a day, lost ones until they are replaced. */
    async list(): Promise<Node[]> {
      const rows = await readNodes(db, lostSeconds)
      return rows.map((row) => ({ ...row, state: row.alive || row.state === 'stopped' ? row.state : 'lost' }))
    },
    /** Where phones reach the nodes that take new calls, by protocol. */
    phoneAddresses: () => readPhoneAddresses(db),
    /** False if there is no such node any more. */
    async drain(id: string, isDraining: boolean): Promise<boolean> {
      return await db.transaction().execute(async (tx) => {
        const found = await requestDrain(tx, id, isDraining)
        if (!found) return false
        const action = isDraining ? 'node.drained' : 'node.undrained'
        await recordOperatorChange(tx, { at: clock.now(), action, subject: id, details: {} })
        await notify(tx, drainChannel, id)
        return true
      })
    },
  }
}
export type Nodes = ReturnType<typeof createNodes>
