/**
 * D187: whose number it is, as conditions in the statements of other modules: calls and inbound routing ask it of every
 * call, without a statement of its own.
 */

/** What the sandbox carrier verified counts only where that carrier is in use. */
export type ProofPolicy = { acceptsSandbox: boolean }

const counts = ({ acceptsSandbox }: ProofPolicy) =>
  acceptsSandbox ? 'numbers.proof is not null' : `numbers.proof in ('operator', 'call')`

/** True if the number is verified for the account; both are SQL expressions. */
export function isVerifiedFor(account: string, number: string, policy: ProofPolicy): string {
  return `exists (
    select from numbers
    where numbers.number = ${number} and numbers.account_id = ${account} and ${counts(policy)})`
}

/** The account that has the number verified. */
export function ownerOfNumber(number: string, policy: ProofPolicy): string {
  return `(select account_id from numbers where numbers.number = ${number} and ${counts(policy)})`
}
