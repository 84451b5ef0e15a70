/** Results of the search for anything: calls, people, contacts and pages, the likeliest first (D603). */
import { useLocation } from 'wouter'
import { useExtensions } from '../own-extension.ts'
import { pages } from '../pages.ts'
import type { IconName } from '../parts/icon.tsx'
import { useCall } from '../parts/records/call-button.tsx'
import { useContactSearch } from '../parts/records/contact-search.ts'
import { searchRows } from '../parts/search.ts'
import { telephone } from '../parts/telephone.ts'
import { useIsAdmin } from '../session.ts'
import { useLanguage, useWords } from '../words/language.ts'
import { readTyped } from './typed.ts'
import { finderWords } from './words.ts'

export type Found = { key: string; icon: IconName; name: string; about?: string; run: () => void }

const maxPeople = 5

export function useFound(typed: string): Found[] {
  const words = useWords(finderWords)
  const language = useLanguage()
  const [, go] = useLocation()
  const isAdmin = useIsAdmin()
  const { canCall, place } = useCall()
  const { data: extensions = [] } = useExtensions()
  const { text, isCall, number, callId } = readTyped(typed)
  const contacts = useContactSearch(text).slice(0, maxPeople)
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
