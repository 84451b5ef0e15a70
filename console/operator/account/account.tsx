/** Everything about one account, and what the operator does with it (D616). */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { OperatorAccountPage } from '../../../src/contract/operator-account.ts'
import { useFormat } from '../../parts/format.ts'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { telephone } from '../../parts/telephone.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { LimitForm } from '../limit-form.tsx'
import { operate } from '../operator-api.ts'
import { operatorWords } from '../words.ts'
import { LookIn } from './look-in.tsx'
import { Credit as CreditForm } from './money.tsx'
import { Audit, Phones, Tokens, Users } from './people.tsx'
import { Calls, Charges, Entries } from './records.tsx'
import { Release, Suspend } from './suspension.tsx'
import { accountWords } from './words.ts'

type Open = 'limits' | 'credit' | 'suspend' | 'release'
type User = OperatorAccountPage['users'][number]

export function Account({ params: { domain } }: { params: { domain: string } }) {
  const words = useWords(accountWords)
  const account = useQuery({
    queryKey: ['operator', 'account', domain],
    queryFn: () => operate<OperatorAccountPage>('GET', `/accounts/${encodeURIComponent(domain)}`),
  })
  const [open, setOpen] = useState<Open>()
  const [lookedInAs, setLookedInAs] = useState<User>()
  const close = () => setOpen(undefined)
  return (
    <Page
      title={account.data?.name ?? domain}
      about={<Link href="/accounts">← {words.back}</Link>}
      actions={account.data && <Actions account={account.data} onOpen={setOpen} />}
    >
      <Loaded query={account} lines={12}>
        {(found) => (
          <div className="stack">
            <Suspended account={found} />
            <div className="cards">
              <Record account={found} />
              <Credit account={found} />
            </div>
            <Calls title={words.liveCalls} rows={found.liveCalls} />
            <Users rows={found.users} onLookIn={setLookedInAs} />
            <Tokens rows={found.tokens} />
            <Phones rows={found.phones} />
            <Calls title={words.calls} rows={found.calls} />
            <Charges rows={found.charges} domain={domain} />
            <Entries rows={found.entries} />
            <Audit rows={found.audit} />
            {open === 'limits' && <LimitForm domain={domain} onClose={close} />}
            {open === 'credit' && <CreditForm domain={domain} onClose={close} />}
            {open === 'suspend' && <Suspend account={found} onClose={close} />}
            {open === 'release' && <Release domain={domain} onClose={close} />}
            {lookedInAs && (
              <LookIn domain={domain} user={lookedInAs} onClose={() => setLookedInAs(undefined)} />
            )}
          </div>
        )}
      </Loaded>
    </Page>
  )
}

type ActionProps = { account: OperatorAccountPage; onOpen: (open: Open) => void }

function Actions({ account: { suspendedAt }, onOpen }: ActionProps) {
  const words = useWords(accountWords)
  const { limits } = useWords(operatorWords)
  return (
    <>
      <button type="button" className="button" onClick={() => onOpen('limits')}>
        {limits}
      </button>
      <button type="button" className="button" onClick={() => onOpen('credit')}>
        {words.adjust}
      </button>
      {suspendedAt === null ? (
        <button type="button" className="button danger" onClick={() => onOpen('suspend')}>
          {words.suspend}
        </button>
      ) : (
        <button type="button" className="button primary" onClick={() => onOpen('release')}>
          {words.release}
        </button>
      )}
    </>
  )
}

type OfAccount = { account: OperatorAccountPage }

function Suspended({ account: { suspendedAt, suspensionReason } }: OfAccount) {
  const words = useWords(accountWords)
  const format = useFormat()
  if (suspendedAt === null) return null
  return (
    <Notice tone="warn">
      <strong>{words.suspendedSince(format.exact(suspendedAt))}</strong> {suspensionReason}
    </Notice>
  )
}

function Record({ account }: OfAccount) {
  const words = useWords(accountWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const { notActive } = useWords(operatorWords)
  const { domain, email, phone, timeZone, createdAt, activatedAt } = account
  return (
    <section className="card stack">
      <h2>{words.data}</h2>
      <dl className="facts">
        <dt>{words.domain}</dt>
        <dd>{domain}</dd>
        <dt>{common.email}</dt>
        <dd>{email}</dd>
        <dt>{common.phone}</dt>
        <dd className="number">{telephone(phone)}</dd>
        <dt>{words.timeZone}</dt>
        <dd>{timeZone}</dd>
        <dt>{words.createdAt}</dt>
        <dd className="number">{format.moment(createdAt)}</dd>
        <dt>{words.activatedAt}</dt>
        <dd className="number">{activatedAt ? format.moment(activatedAt) : notActive}</dd>
      </dl>
    </section>
  )
}

function Credit({ account: { balance, reserved, limits } }: OfAccount) {
  const words = useWords(accountWords)
  const { balance: balanceName, international, on, off } = useWords(operatorWords)
  const format = useFormat()
  const { proof } = limits
  return (
    <section className="card stack">
      <h2>{words.credit}</h2>
      <dl className="facts">
        <dt>{balanceName}</dt>
        <dd className="number">
          <strong className={balance < 0 ? 'bad' : undefined}>{format.money(balance)}</strong>
        </dd>
        <dt>{words.reserved}</dt>
        <dd className="number">{format.money(reserved)}</dd>
        <dt>{words.today}</dt>
        <dd className="number">
          {words.callsToday(format.count(limits.callsToday), format.count(limits.callsPerDay))}
          <br />
          {words.spentToday(format.money(limits.spentToday), format.money(limits.spendingPerDay))}
        </dd>
        <dt>{words.atOnce}</dt>
        <dd className="number">{format.count(limits.callsAtOnce)}</dd>
        <dt>{international}</dt>
        <dd>{limits.international ? on : off}</dd>
        <dt>{words.proof}</dt>
        <dd>{proof === null ? words.noProof : (words.proofs[proof] ?? proof)}</dd>
      </dl>
    </section>
  )
}
