/**
 * The stream of what happens now (`GET /live`), written into the cache of answers. It is open while the tab is visible: a
 * tab that comes back gets a new snapshot, and hidden tabs take no connection.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Balance, CallRecord, Charge, Extension, Session } from './api-types.ts'
import { isSessionOver, queryClient, whenSignedIn } from './session.ts'

type LivePhone = {
  extensionId: number
  ramal: string
  registered: boolean
  registered_at: string | null
  user_agent: string | null
}

/** With the call that was transferred to it. */
export type LiveCall = CallRecord & { transferred_from: string | null }

export type Live = {
  calls: LiveCall[]
  phones: LivePhone[]
  isConnected: boolean
  /** It could not be connected, and is tried again. */
  isInterrupted: boolean
}

const liveKey = ['live']
const nothing: Live = { calls: [], phones: [], isConnected: false, isInterrupted: false }
/** Lists and sums are read again at most this often. */
const settleMs = 5_000
const reopenMs = 3_000
/** Changes may have been missed since the last snapshot. */
let wasInterrupted = false

const liveQuery = queryOptions({
  queryKey: liveKey,
  queryFn: () => nothing,
  initialData: nothing,
  enabled: false,
  // Each change keeps what it does not change: comparing hundreds of calls at each event would stop every page.
  structuralSharing: false,
})

export const useLive = (): Live => useQuery(liveQuery).data

/** The shell reads it: it must not be rendered again, with all its pages, at each call. */
export const useIsInterrupted = (): boolean =>
  useQuery({ ...liveQuery, select: ({ isInterrupted }) => isInterrupted }).data

const update = (change: (live: Live) => Live) =>
  queryClient.setQueryData<Live>(liveKey, (live = nothing) => change(live))

const showInterrupted = (isInterrupted: boolean) =>
  update((live) => ({ ...live, isConnected: false, isInterrupted }))

const timers = new Map<string, ReturnType<typeof setTimeout>>()

/** Marks what a list is made of as stale, not more often than every few seconds. */
function refreshSoon(key: string) {
  if (timers.has(key)) return
  const timer = setTimeout(() => {
    timers.delete(key)
    void queryClient.invalidateQueries({ queryKey: [key] })
  }, settleMs)
  timers.set(key, timer)
}

function onCall(call: LiveCall) {
  update(({ calls, ...rest }) => {
    const isKnown = calls.some(({ id }) => id === call.id)
    const isOver = call.ended_at !== null
    // In its place: rows do not jump.
    if (!isOver && isKnown) return { ...rest, calls: calls.map((one) => (one.id === call.id ? call : one)) }
    const others = calls.filter(({ id }) => id !== call.id)
    return { ...rest, calls: isOver ? others : [...others, call] }
  })
  // Its page shows more than the stream has.
  queryClient.setQueryData(['call', call.id], (shown: object | undefined) => shown && { ...shown, ...call })
  refreshSoon('calls')
  if (call.ended_at !== null) refreshSoon('stats')
  // Missed, or called back.
  refreshSoon('missed')
}

function onPhone(phone: LivePhone) {
  update(({ phones, ...rest }) => {
    const others = phones.filter(({ extensionId }) => extensionId !== phone.extensionId)
    return { ...rest, phones: phone.registered ? [...others, phone] : others }
  })
  queryClient.setQueryData<Extension[]>(['extensions'], (extensions) =>
    extensions?.map((extension) =>
      extension.id === phone.extensionId
        ? {
            ...extension,
            registered: phone.registered,
            registered_at: phone.registered_at,
            user_agent: phone.user_agent,
          }
        : extension,
    ),
  )
}

function onBalance(balance: Balance | null) {
  queryClient.setQueryData<Session | null>(['session'], (session) => session && { ...session, balance })
  if (balance) queryClient.setQueryData(['balance'], balance)
}

function onCharge(charge: Charge) {
  queryClient.setQueryData(['charge', charge.id], charge)
  void queryClient.invalidateQueries({ queryKey: ['charges'] })
  refreshSoon('statement')
}

/** What is shown may be older than the break. */
const refreshAll = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== liveKey[0] })

function open(): () => void {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  function connect() {
    source = new EventSource('/api/v1/live')
    const on = <T>(type: string, handle: (data: T) => void) =>
      source.addEventListener(type, (event) => handle(JSON.parse((event as MessageEvent<string>).data) as T))
    on<{ calls: LiveCall[]; phones: LivePhone[]; balance: Balance | null }>('snapshot', (snapshot) => {
      update(() => ({
        calls: snapshot.calls,
        phones: snapshot.phones,
        isConnected: true,
        isInterrupted: false,
      }))
      onBalance(snapshot.balance)
      if (wasInterrupted) void refreshAll()
      wasInterrupted = false
    })
    on('call', onCall)
    on('phone', onPhone)
    on('balance', onBalance)
    on('charge', onCharge)
    on('delivery', () => refreshSoon('deliveries'))
    source.addEventListener('error', () => {
      wasInterrupted = true
      // A refusal, such as that of a service that starts, ends an EventSource for good.
      if (source.readyState === EventSource.CLOSED) void reopen()
      else showInterrupted(true)
    })
  }

  /** An EventSource does not tell why it was refused. Without a session there is nothing to reconnect. */
  async function reopen() {
    if (await isSessionOver()) {
      showInterrupted(false)
      await whenSignedIn()
      if (!isClosed) connect()
    } else if (!isClosed) {
      showInterrupted(true)
      timer = setTimeout(connect, reopenMs)
    }
  }

  connect()
  return () => {
    isClosed = true
    clearTimeout(timer)
    source.close()
    wasInterrupted = true
  }
}

/** Keeps the stream open while the page is seen. */
export function useLiveStream() {
  useEffect(() => {
    let close: (() => void) | undefined
    function follow() {
      if (document.hidden) {
        close?.()
        close = undefined
      } else {
        close ??= open()
      }
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      close?.()
    }
  }, [])
}
