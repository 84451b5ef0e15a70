/** Mounts the console; the only file that knows every page. */
import './look/ink.css'
import './look/base.css'
import './look/parts.css'
import './look/shell.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { loadPart } from './parts/load-part.ts'
import { queryClient } from './session.ts'
import { Console } from './shell/console.tsx'
import { applyTheme } from './theme.ts'
import { markDocument } from './words/language.ts'

applyTheme()
markDocument()

const Operator = lazy(() => loadPart(() => import('./operator/operator.tsx')))
const isOperator = /^\/operator(?:\/|$)/.test(window.location.pathname)

const place = document.getElementById('console')
if (!place) throw new Error('the page has no place for the console')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Router base={isOperator ? '/operator' : '/console'}>
        {isOperator ? (
          <Suspense>
            <Operator />
          </Suspense>
        ) : (
          <Console />
        )}
      </Router>
    </QueryClientProvider>
  </StrictMode>,
)
