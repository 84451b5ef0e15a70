/** Adds, lists, resets and switches operators (D648). Who does it is in the operator's log (D649). */
import { problem, refuseFields } from '../../contract/errors.ts'
import type { OperatorAction } from '../../contract/operator-log.ts'
import { type Clock, plusSeconds } from '../../kit/clock.ts'
import { randomBase62 } from '../../kit/ids.ts'
import { readEmail } from '../../kit/text/email.ts'
import { violatedConstraint } from '../../store/connection/database-errors.ts'
import type { Database } from '../../store/database.ts'
import { actingOperator } from '../audit/acting-operator.ts'
import { recordOperatorChange } from '../audit/operator-log.ts'
import { hashLinkToken, linkTokenLength } from '../links/link.ts'
import { linkSeconds, type Operator, readPerson, toOperator } from './operator.ts'
import {
  deleteSessions,
  findByEmail,
  findLocked,
  hasOperator,
  insertOperator,
  type OperatorRow,
  replaceCodes,
  selectOperators,
  updateOperator,
} from './operators-store.ts'

type Deps = {
  db: Database
  clock: Clock
  /** Where set-up links lead, without their token. */
  setUpPage: () => string
}

/** The link is shown once: only its hash is stored. */
export type Invited = { operator: Operator; link: string }

type Change = { reason?: string | undefined }

export function createOperators({ db, clock, setUpPage }: Deps) {
  async function add(person: { name: string; email: string }): Promise<Invited> {
    const { name, email } = readPerson(person)
    const { link, columns } = newLink()
    const row = await db
      .transaction()
      .execute(async (tx) => {
        const added = await insertOperator(tx, {
          name,
          email,
          password_hash: null,
          second_factor: null,
          new_factor: null,
          link_hash: columns.link_hash,
          link_expires_at: columns.link_expires_at,
          off_since: null,
          created_at: clock.now(),
          last_login_at: null,
        })
        await record(tx, 'operator.added', added, { details: { name } })
        return added
      })
      .catch((error: unknown) => {
        if (violatedConstraint(error) !== 'operators_email_key') throw error
        throw refuseFields('Operator', { email: [problem.taken] })
      })
    return { operator: toOperator(row), link }
  }

  /**
   * Another set-up link, for a new password and, with `secondFactor`, another authenticator app. Password and sessions end at
   * once, except those of operators who reset themselves: these stay until the link is used. Undefined without such an operator.
   */
  async function reset(
    id: number,
    { secondFactor, reason }: Change & { secondFactor: boolean },
  ): Promise<Invited | undefined> {
    const { link, columns } = newLink()
    const row = await db.transaction().execute(async (tx) => {
      const before = await findLocked(tx, id)
      if (!before) return undefined
      const isOwn = before.email === actingOperator()
      const renewsFactor = secondFactor || before.second_factor === null
      if (!isOwn && renewsFactor) await replaceCodes(tx, id, [])
      const sessionsEnded = isOwn ? 0 : await deleteSessions(tx, id)
      await record(tx, 'operator.reset', before, {
        reason,
        details: { secondFactor: renewsFactor, sessionsEnded },
      })
      return await updateOperator(tx, id, {
        link_hash: columns.link_hash,
        link_expires_at: columns.link_expires_at,
        renews_factor: renewsFactor,
        new_factor: null,
        ...(!isOwn && { password_hash: null }),
        ...(!isOwn && renewsFactor && { second_factor: null, last_step: 0 }),
      })
    })
    return row && { operator: toOperator(row), link }
  }

  /** One that is off cannot log in, and its sessions and set-up link end. Undefined if there is no such operator. */
  async function setOn(id: number, isOn: boolean, { reason }: Change): Promise<Operator | undefined> {
    const row = await db.transaction().execute(async (tx) => {
      const before = await findLocked(tx, id)
      if (!before || isOn === (before.off_since === null)) return before
      if (!isOn && before.email === actingOperator()) throw refuseFields('Operator', { on: [ownOff] })
      const sessionsEnded = isOn ? 0 : await deleteSessions(tx, id)
      const action = isOn ? 'operator.switched-on' : 'operator.switched-off'
      await record(tx, action, before, { reason, details: isOn ? {} : { sessionsEnded } })
      return await updateOperator(tx, id, {
        off_since: isOn ? null : clock.now(),
        ...(!isOn && { link_hash: null, link_expires_at: null, new_factor: null }),
      })
    })
    return row && toOperator(row)
  }

  function newLink() {
    const token = randomBase62(linkTokenLength)
    // In the fragment, which a browser sends to no server: it is in no log.
    const link = `${setUpPage()}#${token}`
    const columns = {
      link_hash: hashLinkToken(token) ?? null,
      link_expires_at: plusSeconds(clock.now(), linkSeconds),
    }
    return { link, columns }
  }

  type Recorded = Change & { details: Record<string, unknown> }

  const record = (tx: Database, action: OperatorAction, { email }: OperatorRow, rest: Recorded) =>
    recordOperatorChange(tx, {
      at: clock.now(),
      action,
      subject: email,
      reason: rest.reason,
      details: rest.details,
    })

  async function findIdByEmail(address: string): Promise<number | undefined> {
    return (await findByEmail(db, readEmail(address) ?? ''))?.id
  }

  return {
    add,
    reset,
    setOn,
    findIdByEmail,
    list: async () => (await selectOperators(db)).map(toOperator),
    exist: () => hasOperator(db),
  }
}
export type Operators = ReturnType<typeof createOperators>

const ownOff = {
  code: 'exclusion',
  message: {
    en: 'is your own switch: another operator can switch you off',
    pt: 'é o seu próprio acesso: só outro operador pode desligá-lo',
  },
}
