/** Who is here: the session of the cookie, read once at the start and kept in the cache of answers. */
import { QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { AuthenticationError } from '../clients/typescript/src/errors.ts'
import { onSessionEnd, request } from './api.ts'
import type { Session } from './api-types.ts'
import { suggestLanguage } from './words/language.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // The client repeats requests; after a longer outage the live stream has everything read again.
      retry: false,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
})

const sessionKey = ['session']
/** Tabs of one browser share the cookie: signing out in one ends all. */
const channel = new BroadcastChannel('ramal.session')

async function readSession(): Promise<Session | null> {
  try {
    const session = await request('GET', '/console/session')
    suggestLanguage(session.account.language)
    return session
  } catch (error) {
    if (error instanceof AuthenticationError) return null
    throw error
  }
}

export function useSession() {
  return useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: Number.POSITIVE_INFINITY })
}

/**
 * The session that the signed-in part was rendered with. Not read from the cache: when somebody signs out, the cache is empty
 * a moment before that part is removed, and a page that is rendered in this moment would fail and leave nothing on the screen.
 */
export const SignedIn = createContext<Session | null>(null)

/** The session on pages that only people who signed in see. */
export function useSignedIn(): Session {
  const session = useContext(SignedIn)
  if (!session) throw new Error('used outside the signed-in part')
  return session
}

/** Time zone of the account; without one, of the browser. */
export function useTimeZone(): string {
  const session = useQueryClient().getQueryData<Session | null>(sessionKey)
  return session?.account.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

export const useIsAdmin = (): boolean => useSignedIn().user.role === 'ADMIN'

const waiting: (() => void)[] = []

/** Resolves when somebody signs in, such as again after the session ended. */
export const whenSignedIn = () => new Promise<void>((resolve) => void waiting.push(resolve))

/** Whether the session is over; if so, the password is asked for. False while the service cannot be reached. */
export async function isSessionOver(): Promise<boolean> {
  try {
    await request('GET', '/console/session')
    return false
  } catch (error) {
    return error instanceof AuthenticationError
  }
}

export type SignIn = { email: string; password: string; code?: string; keep: boolean }

export async function signIn(body: SignIn) {
  const before = queryClient.getQueryData<Session | null>(sessionKey)
  const session = await request('POST', '/console/session', { body })
  suggestLanguage(session.account.language)
  const isSamePerson = before?.user.uuid === session.user.uuid
  if (!isSamePerson) queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  queryClient.setQueryData(sessionKey, session)
  for (const resolve of waiting.splice(0)) resolve()
  // The page under the dialog keeps what was typed; its data is read again.
  if (isSamePerson)
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
}

export async function signOut() {
  await request('DELETE', '/console/session')
  channel.postMessage('ended')
  forget()
}

export const refreshSession = () => queryClient.invalidateQueries({ queryKey: sessionKey })

/** Shows the sign-in page; the cache is emptied, so that the next person sees nothing of it. */
function forget() {
  queryClient.setQueryData(sessionKey, null)
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
}

channel.addEventListener('message', forget)

const endListeners = new Set<() => void>()

/** The session ended by itself: the shell requests the password in a dialog over the page, and no input is lost. */
export function onExpired(listener: () => void) {
  endListeners.add(listener)
  return () => {
    endListeners.delete(listener)
  }
}
onSessionEnd(() => {
  if (!queryClient.getQueryData(sessionKey)) return
  for (const listener of endListeners) listener()
})
