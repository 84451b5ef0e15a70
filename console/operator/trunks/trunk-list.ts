/** Where the list of trunks is kept, and what is read from it. */
import type { OperatorTrunk } from '../../../src/contract/operator-trunks.ts'

export const trunksKey = ['operator', 'trunks']

/** Channels with calls, of all nodes. */
export const usedBy = ({ nodes }: OperatorTrunk) => nodes.reduce((sum, { used }) => sum + used, 0)
