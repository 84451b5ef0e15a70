/** Which part is shown: the pages outside, or the shell with the pages of who signed in. */
import { lazy, Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { loadPart } from '../parts/load-part.ts'
import { Toasts } from '../parts/toasts.tsx'
import { SignedIn, useSession } from '../session.ts'
import { LoadedOutside } from './outside.tsx'
import { Shell } from './shell.tsx'
import { SignInPage } from './sign-in.tsx'

const SignUp = lazy(() => loadPart(() => import('./sign-up.tsx')))
const Forgot = lazy(() => loadPart(() => import('./forgot.tsx')))

export function Console() {
  const session = useSession()
  return (
    <>
      <LoadedOutside query={session}>
        {(found) =>
          found ? (
            <SignedIn value={found}>
              <Shell />
            </SignedIn>
          ) : (
            <Entrance />
          )
        }
      </LoadedOutside>
      <Toasts />
    </>
  )
}

function Entrance() {
  const [place] = useLocation()
  return (
    <Suspense>
      <Switch>
        <Route path="/signup" component={SignUp} />
        <Route path="/forgot" component={Forgot} />
        <Route>
          <SignInPage key={place} />
        </Route>
      </Switch>
    </Suspense>
  )
}
