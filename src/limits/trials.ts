/**
 * D196: trial credit, once for each person. A person is known by the e-mail address without its variants (`ana+1@…` is
 * `ana@…`) and, where the credit waits for a tax id, by the tax id too.
 */
import { hash } from 'node:crypto'
import type { Clock } from '../kit/clock.ts'
import { canonicalEmail } from '../kit/text/email.ts'
import type { Database } from '../store/database.ts'
import { claimTrial } from './limits-store.ts'

/** What must be proven before trial credit is given. */
type TrialProof = 'email' | 'tax-id'

type Deps = {
  clock: Clock
  proof: TrialProof
  grant: (tx: Database, accountId: number) => Promise<void>
}

export function createTrials({ clock, proof, grant }: Deps) {
  /** In the transaction in which the account becomes active. */
  async function onActivated(tx: Database, accountId: number, email: string) {
    if (proof === 'email') await grantOnce(tx, accountId, [`email:${canonicalEmail(email)}`])
  }

  /** In the transaction in which its tax id is accepted. */
  async function onTaxId(tx: Database, accountId: number, email: string, taxId: string) {
    if (proof !== 'tax-id') return
    await grantOnce(tx, accountId, [`email:${canonicalEmail(email)}`, `tax-id:${taxId}`])
  }

  async function grantOnce(tx: Database, accountId: number, people: string[]) {
    const hashes = people.map((person) => hash('sha256', person, 'buffer'))
    if (await claimTrial(tx, hashes, clock.now())) await grant(tx, accountId)
  }

  return { onActivated, onTaxId }
}
export type Trials = ReturnType<typeof createTrials>
