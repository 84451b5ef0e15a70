/**
 * D647: the operator looks at an account as one of its users sees it, to help. It is a session of that user in the console which
 * only reads and ends after half an hour. The account sees it: in its audit log, in the user's list of sessions, where it can be
 * ended, and by a mail to its ADMINs.
 */
import type { Outbox } from '../../mail/outbox.ts'
import type { Mail } from '../../mail/port.ts'
import type { Database } from '../../store/database.ts'
import { recordAudit } from '../audit/audit.ts'
import type { NewSession, Tokens } from '../tokens/tokens.ts'
import { findAdmins, findUser } from '../users-store.ts'

const lookInSeconds = 30 * 60

type Deps = { db: Database; tokens: Pick<Tokens, 'issue'>; outbox: Outbox }

type Wanted = {
  accountId: number
  domain: string
  /** Uuid of the user. */
  user: string
  reason: string
  session: NewSession
}

export function createLookIns({ db, tokens, outbox }: Deps) {
  /** Undefined if the account has no such user. */
  async function begin({ accountId, domain, user: uuid, reason, session }: Wanted) {
    const user = await findUser(db, accountId, uuid)
    if (!user) return undefined
    const issued = await db.transaction().execute(async (tx) => {
      const token = await tokens.issue(tx, user.id, {
        ttl: lookInSeconds,
        name: 'Operator, read only',
        session,
        lookInReason: reason,
      })
      await recordAudit(tx, {
        accountId,
        at: token.created,
        action: 'account.looked-in',
        actor: null,
        subject: user.email,
        details: { reason, lastFour: token.id.slice(-4) },
      })
      for (const { email } of await findAdmins(tx, accountId)) {
        await outbox.post(tx, lookInMail(email, { domain, user: user.email, reason }))
      }
      return token
    })
    outbox.wake()
    return { token: issued.id, seconds: lookInSeconds, begun: issued.created, email: user.email }
  }

  return { begin }
}
export type LookIns = ReturnType<typeof createLookIns>

/** The operator wrote the reason, no stranger (D145). */
function lookInMail(
  recipient: string,
  { domain, user, reason }: { domain: string; user: string; reason: string },
): Mail {
  return {
    recipient,
    subject: 'O operador consulta sua conta · The operator looks at your account',
    text: `Olá!

O operador do serviço abriu a conta ${domain} como ${user} a vê, só para leitura e por no máximo meia hora. Motivo:

${reason}

Senhas e segredos não aparecem, e nada pode ser alterado. A auditoria da conta mostra a consulta; para encerrá-la antes,
encerre a sessão "Operator, read only" na lista de sessões desse usuário.

--

Hello!

The operator of the service opened the account ${domain} as ${user} sees it, to read only and for half an hour at most. Reason:

${reason}

Passwords and secrets are not shown, and nothing can be changed. The audit log of the account shows it; to end it earlier, end
the session "Operator, read only" in the list of sessions of that user.
`,
  }
}
