/** The console of the operator (D320): nodes, accounts, calls, numbers, rates, trunks, status, and what was changed. */
import '../look/limits.css'
import '../look/operator.css'
import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch, useRoute } from 'wouter'
import type { OperatorAccess } from '../../src/contract/operator.ts'
import { loadPart } from '../parts/load-part.ts'
import { PageSkeleton } from '../parts/states.tsx'
import { Toasts } from '../parts/toasts.tsx'
import { LoadedOutside } from '../shell/outside.tsx'
import { shellWords } from '../shell/words.ts'
import { useWords } from '../words/language.ts'
import { Account } from './account/account.tsx'
import { Accounts } from './accounts.tsx'
import { LiveCalls } from './calls.tsx'
import { ChangeLog } from './log/change-log.tsx'
import { LogIn } from './log-in.tsx'
import { Bar, Side } from './navigation.tsx'
import { Numbers } from './numbers.tsx'
import { useAccess } from './operator-api.ts'
import { Overview } from './overview/overview.tsx'
import { Rates } from './rates/rates.tsx'
import { Status } from './status/status.tsx'
import { Trunks } from './trunks/trunks.tsx'

const People = lazy(() => loadPart(() => import('./people/people.tsx')))
const SetUp = lazy(() => loadPart(() => import('./people/set-up.tsx')))
const SipMessages = lazy(() => loadPart(() => import('./sip/sip.tsx')))

export default function Operator() {
  const [isSetUp] = useRoute('/set-up')
  return isSetUp ? (
    <Suspense>
      <SetUp />
    </Suspense>
  ) : (
    <Inside />
  )
}

function Inside() {
  const access = useAccess()
  return (
    <>
      <LoadedOutside query={access}>
        {(found) => (found ? <Signed access={found} /> : <LogIn />)}
      </LoadedOutside>
      <Toasts />
    </>
  )
}

function Signed({ access }: { access: OperatorAccess }) {
  const shell = useWords(shellWords)
  return (
    <>
      <a className="skip" href="#content">
        {shell.skip}
      </a>
      <div className="shell operator">
        <Side access={access} />
        <main className="main" id="content" tabIndex={-1}>
          <div className="inner">
            <Suspense fallback={<PageSkeleton />}>
              <Switch>
                <Route path="/" component={Overview} />
                <Route path="/accounts" component={Accounts} />
                <Route path="/accounts/:domain" component={Account} />
                <Route path="/calls" component={LiveCalls} />
                <Route path="/calls/:id/sip" component={SipMessages} />
                <Route path="/numbers" component={Numbers} />
                <Route path="/rates" component={Rates} />
                <Route path="/trunks" component={Trunks} />
                <Route path="/status" component={Status} />
                <Route path="/log" component={ChangeLog} />
                <Route path="/operators" component={People} />
                <Route>
                  <Redirect to="/" replace />
                </Route>
              </Switch>
            </Suspense>
          </div>
        </main>
        <Bar access={access} />
      </div>
    </>
  )
}
