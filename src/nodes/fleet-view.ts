/** Knowledge of the other living nodes, as of the last renewal of this node's lease. */
import type { Renewal } from './nodes-store.ts'

export function createFleetView() {
  let last: Renewal | undefined
  return {
    onRenewal(renewal: Renewal) {
      last = renewal
    },
    /** Other living nodes with the voice role. */
    otherVoiceNodes: () => last?.otherVoiceNodes ?? 0,
    /** Other living nodes, and those of them whose clock agrees with the database's. */
    others: () => ({ alive: last?.others ?? 0, onTime: last?.othersOnTime ?? 0 }),
  }
}
export type FleetView = ReturnType<typeof createFleetView>
