/** What the auditor finds. `check` names the promise that was broken, `text` says by what. */
export type Check =
  | 'one end'
  | 'states'
  | 'event order'
  | 'feed without gaps'
  | 'webhooks'
  | 'money'
  | 'price'
  | 'reservations'
  | 'acknowledged writes'
  | 'idempotency'
  | 'hang-up'
  | 'refusals'
  | 'registrations'
  | 'recordings'
  | 'settled'
  | 'times'
  | 'numbers'
  | 'cycles'

export type Violation = { check: Check; text: string }

/** Collects violations of one check. */
export function createFindings(check: Check) {
  const found: Violation[] = []
  return {
    found,
    /** Adds the text unless the condition holds. */
    expect(holds: boolean, text: () => string) {
      if (!holds) found.push({ check, text: text() })
    },
  }
}
