/** The frame of every page: navigation, the page, the phone, and the question for the password when a session ends. */
import { lazy, type ReactNode, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { useIsInterrupted, useLiveStream } from '../live.ts'
import { pages } from '../pages.ts'
import { Dialog } from '../parts/forms/dialog.tsx'
import { loadPart } from '../parts/load-part.ts'
import { PageSkeleton } from '../parts/states.tsx'
import { onExpired, useSignedIn } from '../session.ts'
import { commonWords } from '../words/common.ts'
import { useWords } from '../words/language.ts'
import { Find } from './find.tsx'
import { Bar, Side } from './navigation.tsx'
import { PageFailure } from './page-failure.tsx'
import { SignInForm } from './sign-in.tsx'
import { useOnline } from './use-online.ts'
import { shellWords } from './words.ts'

const NotFound = lazy(() => loadPart(() => import('../pages/not-found/not-found.tsx')))

const LookInBar = lazy(() => loadPart(async () => ({ default: (await import('./look-in.tsx')).LookInBar })))

/** After the page: nobody waits for the phone to read. */
const Dock = lazy(() => loadPart(() => import('../phone/dock.tsx')))

export function Shell() {
  const session = useSignedIn()
  const { user } = session
  const words = useWords(shellWords)
  const common = useWords(commonWords)
  const isOnline = useOnline()
  const isInterrupted = useIsInterrupted()
  useLiveStream()
  const [current] = useLocation()
  // A click on a link is answered at once; the page follows, without stopping what is typed.
  const place = useDeferredValue(current)
  const routes = useMemo(
    () =>
      pages
        .filter(({ adminOnly }) => !adminOnly || user.role === 'ADMIN')
        .map(({ path, load }) => ({ path, component: lazy(() => loadPart(load)) })),
    [user.role],
  )
  const [first] = routes
  const content = (
    <PageFailure key={place}>
      <Suspense fallback={<PageSkeleton />}>
        <Switch location={place}>
          {routes.map(({ path, component }) => (
            <Route key={path} path={path} component={component} />
          ))}
          {['/signup', '/forgot', '/signin', '/'].map((path) => (
            <Route key={path} path={path}>
              <Redirect to={first?.path ?? '/profile'} replace />
            </Route>
          ))}
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Suspense>
    </PageFailure>
  )
  const isBare = pages.some(({ path, bare }) => bare && path === place)
  return (
    <>
      {!isBare && (
        <a className="skip" href="#content">
          {words.skip}
        </a>
      )}
      <div className="offline-bar" role="status">
        {!isOnline || isInterrupted ? common.offline : ''}
      </div>
      {session.lookIn && (
        <Suspense>
          <LookInBar session={session} />
        </Suspense>
      )}
      {isBare ? <main>{content}</main> : <Framed>{content}</Framed>}
      <Expired />
    </>
  )
}

/** A page with its navigation and the phone. */
function Framed({ children }: { children: ReactNode }) {
  return (
    <>
      <div className="shell">
        <Side />
        <main className="main" id="content" tabIndex={-1}>
          <div className="inner">{children}</div>
        </main>
        <Bar />
      </div>
      <Suspense>
        <Dock />
      </Suspense>
      <Find />
    </>
  )
}

/** Over the page, which stays as it is: what was typed is not lost. */
function Expired() {
  const { user, account, lookIn } = useSignedIn()
  const words = useWords(shellWords)
  const [isExpired, setIsExpired] = useState(false)
  useEffect(
    () =>
      onExpired(() => {
        if (lookIn) window.location.assign(`/operator/accounts/${account.domain}`)
        else setIsExpired(true)
      }),
    [lookIn, account.domain],
  )
  if (!isExpired) return null
  return (
    <Dialog title={words.expired} onClose={() => {}} locked>
      <div className="stack">
        <p>{words.expiredAbout}</p>
        <SignInForm email={user.email} onDone={() => setIsExpired(false)} />
      </div>
    </Dialog>
  )
}
