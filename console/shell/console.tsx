/** Which part is shown: the pages outside, or the shell with the pages of who signed in. */
import { lazy, Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { Toasts } from '../parts/notice.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { useSession } from '../session.ts'
import { Shell } from './shell.tsx'
import { SignInPage } from './sign-in.tsx'

const SignUp = lazy(() => import('./sign-up.tsx'))
const Forgot = lazy(() => import('./forgot.tsx'))

export function Console() {
  const session = useSession()
  const [place] = useLocation()
  if (session.error) {
    return (
      <main className="outside">
        <Problem error={session.error} onRetry={() => void session.refetch()} />
      </main>
    )
  }
  if (session.data === undefined) {
    return (
      <main className="outside">
        <div className="card">
          <Skeleton lines={3} />
        </div>
      </main>
    )
  }
  return (
    <>
      {session.data ? (
        <Shell />
      ) : (
        <Suspense>
          <Switch>
            <Route path="/signup" component={SignUp} />
            <Route path="/forgot" component={Forgot} />
            <Route>
              <SignInPage key={place} />
            </Route>
          </Switch>
        </Suspense>
      )}
      <Toasts />
    </>
  )
}
