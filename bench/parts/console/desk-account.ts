/** An account with much to show: its people by SQL, what only the service can make by its API. */

import { createLog } from '../../../src/kit/process/log.ts'
import type { Database } from '../../../src/store/database.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { insertCalls, live } from '../../../test/helpers/service/call-rows.ts'
import { seedCalls } from '../seed-calls.ts'
import { seedUsers } from '../seed-users.ts'
import { api, createAccount, dataDirOf, type Service } from '../service.ts'

const size = { calls: 10_000, users: 500, extensions: 300, live: 200, contacts: 500, missed: 300 }
const name = 'desk'
const domain = `${name}.ramal.localhost`
/** How often a call ends and another begins: calls last a minute. */
const changeMs = 60_000 / size.live
const firstExtension = 1_000

export type Desk = { email: string; token: string }

/** Before the service starts. */
export async function createDesk(folder: string): Promise<Desk> {
  const desk = await createAccount({ folder }, name)
  await seedUsers({ folder }, name, desk.email, size.users)
  await seedCalls(folder, [{ domain, calls: size.calls, spanDays: 30 }])
  return desk
}

export async function fillDesk({ url }: Service, { token, email }: Desk) {
  async function post(path: string, body: object, method = 'POST') {
    const headers = { authorization: token, 'content-type': 'application/json' }
    const answer = await fetch(`${url}${api}${path}`, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  const people = ['Ana', 'Bia', 'Caio', 'Davi', 'Eva', 'Fábio', 'Gil', 'Hugo', 'Inês', 'João']
  for (let number = 0; number < size.extensions; number += 1) {
    const who = { first_name: people[number % people.length], last_name: `Souza ${number}` }
    const email_address = number === 0 ? email : `person${number}@${domain}`
    const ramal = String(firstExtension + number)
    await post('/extensions', { ramal, senha: 's3nha-do-ramal', email_address, ...who })
  }
  for (let number = 0; number < size.contacts; number += 1) {
    const numbers = [`55489${90_000_000 + number}`]
    await post('/contacts', {
      name: `${people[number % people.length]} Lima ${number}`,
      company: 'Mercado',
      numbers,
    })
  }
  const metadata = { webhookUrl: 'http://127.0.0.1:9/', webhookTypes: ['channel-hangup'] }
  await post('/integrations', { gateway: 'crm', webhook: true, metadata }, 'PATCH')
}

/** Calls that are live while the work lasts, of which one ends and another begins all the time. */
export async function withLiveCalls<T>({ folder }: Service, work: () => Promise<T>): Promise<T> {
  const where = { dataDir: dataDirOf(folder), databaseUrl: undefined, databasePool: 2 }
  const { db, pool, close } = await openStore(where, createLog('silent'))
  try {
    const calls = await createLiveCalls(db)
    let isOver = false
    const changing = (async () => {
      while (!isOver) {
        await new Promise((done) => setTimeout(done, changeMs))
        const ids = await calls.replaceOldest()
        await pool.query('select pg_notify($1, $2)', [
          'live_changes',
          ['bench', ...ids.map((id) => `call ${id}`)].join('\n'),
        ])
      }
    })()
    try {
      return await work()
    } finally {
      isOver = true
      await changing
    }
  } finally {
    await close()
  }
}

async function createLiveCalls(db: Database) {
  const { id: accountId } = await db
    .selectFrom('accounts')
    .select('id')
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow()
  // Calls of a node that is gone would be ended.
  const { id: node } = await db.selectFrom('voice_nodes').select('id').executeTakeFirstOrThrow()
  const inbound = { call_type: 'inbound', to_number: String(firstExtension) } as const
  await insertCalls(
    db,
    accountId,
    Array.from({ length: size.missed }, (_, number) => ({
      ...inbound,
      domain,
      from_number: `55119${80_000_000 + number}`,
      started_at: new Date(Date.now() - number * 60_000),
    })),
  )
  let made = 0
  const next = () => {
    made += 1
    const now = new Date()
    return {
      ...live('answered'),
      domain,
      node,
      from_number: String(firstExtension + (made % size.extensions)),
      to_number: `55489${90_000_000 + made}`,
      started_at: now,
      answered_at: now,
      alive_at: now,
    }
  }
  const ids = await insertCalls(db, accountId, Array.from({ length: size.live }, next))
  return {
    /** Returns the ids of both. */
    async replaceOldest(): Promise<string[]> {
      const over = ids.shift() ?? ''
      const end = {
        status: 'completed',
        ended_at: new Date(),
        hangup_cause: 'NORMAL_CLEARING',
        duration: 60,
      } as const
      await db.updateTable('calls').set(end).where('id', '=', over).execute()
      const begun = await insertCalls(db, accountId, [next()])
      ids.push(...begun)
      return [over, ...begun]
    },
  }
}
