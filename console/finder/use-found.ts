/** Results of the search for anything: calls, people, contacts and pages, the likeliest first (D603). */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { request } from '../api.ts'
import { useExtensions } from '../own-extension.ts'
import { pages } from '../pages.ts'
import type { IconName } from '../parts/icon.tsx'
import { useCall } from '../parts/records/call-button.tsx'
import { searchRows } from '../parts/search.ts'
import { telephone } from '../parts/telephone.ts'
import { useIsAdmin } from '../session.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { readTyped } from './typed.ts'
import { finderWords } from './words.ts'

export type Found = { key: string; icon: IconName; name: string; about?: string; run: () => void }

const pauseMs = 250
const minSearched = 2
const maxPeople = 5
const filter = JSON.stringify({ limit: maxPeople })

export function useFound(typed: string): Found[] {
  const words = useWords(finderWords)
  const language = useLanguage()
  const [, go] = useLocation()
  const isAdmin = useIsAdmin()
  const { canCall, place } = useCall()
  const { data: extensions = [] } = useExtensions()
  const { text, isCall, number, callId } = readTyped(typed)
  const contacts = useContacts(text)
  const found: Found[] = []
  if (callId !== undefined)
    found.push({
      key: 'call',
      icon: 'calls',
      name: words.openCall,
      about: callId,
      run: () => go(`/calls/${callId}`),
    })
  if (number !== undefined) {
    const shown = telephone(number)
    if (canCall) found.push({ key: 'dial', icon: 'phone', name: words.call(shown), run: () => place(number) })
    found.push({
      key: 'calls',
      icon: 'calls',
      name: words.calls(shown),
      run: () => go(`/calls?number=${number}`),
    })
  }
  if (text !== '' && canCall) {
    const nameOf = ({ ramal, first_name, last_name }: (typeof extensions)[number]) =>
      `${first_name} ${last_name} ${ramal}`
    for (const { ramal, first_name, last_name } of searchRows(extensions, text, nameOf).slice(0, maxPeople))
      found.push({
        key: `extension ${ramal}`,
        icon: 'users',
        name: words.call(`${first_name} ${last_name}`),
        about: words.colleague(ramal),
        run: () => place(ramal),
      })
  }
  for (const { id, name = '', company, numbers = [] } of contacts)
    for (const one of numbers)
      found.push({
        key: `${id} ${one}`,
        icon: canCall ? 'phone' : 'calls',
        name: canCall ? words.call(name) : words.calls(name),
        about: [telephone(one), company].filter(Boolean).join(' · '),
        run: () => (canCall ? place(one) : go(`/calls?number=${one}`)),
      })
  if (isCall) return found
  const shownPages = pages.filter(({ hidden, adminOnly }) => !hidden && (!adminOnly || isAdmin))
  for (const { path, name, icon } of searchRows(shownPages, text, (page) => page.name[language]))
    found.push({ key: path, icon, name: name[language], about: words.page, run: () => go(path) })
  return found
}

function useContacts(text: string) {
  const search = usePaused(text)
  const isSearched = search.length >= minSearched
  const { data } = useQuery({
    queryKey: ['contacts', 'search', search],
    queryFn: () => request('GET', '/contacts', { query: { search, page: 1, filter } }),
    enabled: isSearched,
    placeholderData: keepPreviousData,
  })
  return isSearched && text.length >= minSearched ? (data?.data ?? []) : []
}

/** The text once the person pauses: eleven keys are one question. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
