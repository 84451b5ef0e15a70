/**
 * D146: which failed logins of an e-mail count for a request. A stranger who is wrong on purpose must not lock its owner out,
 * so they are counted apart for
 *
 *   a browser in which the user has logged in before
 *   every other address block
 *   all addresses together, with a wide limit that does not hold at an address from which the user has logged in before
 *
 * The hash of the password is part of what is counted: a new password ends every wait.
 */
import type { Clock } from '../../kit/clock.ts'
import { addressBlock } from '../../kit/networks.ts'
import type { Database } from '../../store/database.ts'
import type { Attempts } from './attempts.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import { isLoginAddress, putLoginAddress } from './login-addresses-store.ts'

/** Where a login comes from. */
export type LoginPlace = {
  address: string
  /** The mark of the browser (known-browsers.ts), if it has one. */
  browser?: string | undefined
}

type Deps = { db: Database; clock: Clock; attempts: Attempts; browsers: KnownBrowsers }

type Login = {
  email: string
  /** Undefined for an unknown e-mail, for which the same is done (D147). */
  user: { uuid: string; passwordHash: string | undefined } | undefined
  place: LoginPlace
}

export function createLoginGuard({ db, clock, attempts, browsers }: Deps) {
  async function begin({ email, user, place }: Login) {
    const block = addressBlock(place.address)
    const browser = browsers.idFor(place.browser, user?.uuid ?? '')
    const isKnownAddress = await isLoginAddress(db, email, block)
    const subjectOf = (where: string) => [email, user?.passwordHash ?? '', where].join('\0')
    const own = subjectOf(browser === undefined ? `address ${block}` : `browser ${browser}`)
    const all = subjectOf('everywhere')

    return {
      /** Refuses while too many have failed. */
      async check() {
        await attempts.check('login', own)
        if (browser === undefined && !isKnownAddress) await attempts.check('everyLogin', all)
      },
      /** Counts a wrong password, and refuses it if it is one too many. */
      async countFailure() {
        await attempts.count('login', own)
        if (browser === undefined) await attempts.count('everyLogin', all)
      },
      /** Counts a code before it is checked (D201). */
      countCode: () => attempts.count('login', own),
      /** Joins the transaction of the login. Without a user, of an operator (D648), no address is kept. */
      async succeeded(tx: Database, userId?: number) {
        await attempts.clear(tx, 'login', own)
        if (userId !== undefined) await putLoginAddress(tx, userId, block, clock.now())
      },
    }
  }

  return { begin }
}
export type LoginGuard = ReturnType<typeof createLoginGuard>
export type LoginTry = Awaited<ReturnType<LoginGuard['begin']>>
