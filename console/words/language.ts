/** The language of the console: chosen by the person, else that of the browser, else that of the account. */
import { useSyncExternalStore } from 'react'

import type { Language, Translated } from './translated.ts'

export type { Language, Translated }

const key = 'ramal.language'
const listeners = new Set<() => void>()

const preferred = read()
let current: Language = preferred ?? 'pt'

function read(): Language | undefined {
  return [localStorage.getItem(key) ?? '', ...navigator.languages]
    .map((tag) => tag.slice(0, 2))
    .find((tag) => tag === 'pt' || tag === 'en')
}

export const language = (): Language => current
export const locale = (): string => (current === 'pt' ? 'pt-BR' : 'en-GB')

export function setLanguage(chosen: Language) {
  localStorage.setItem(key, chosen)
  show(chosen)
}

/** D325: that of the account, unless the person or the browser prefers one of ours. */
export function suggestLanguage(suggested: Language) {
  if (!preferred && !localStorage.getItem(key) && suggested !== current) show(suggested)
}

function show(chosen: Language) {
  current = chosen
  markDocument()
  for (const listener of listeners) listener()
}

/** For screen readers, hyphenation and the browser's own texts. */
export function markDocument() {
  document.documentElement.lang = current === 'pt' ? 'pt-BR' : 'en'
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLanguage = () => useSyncExternalStore(subscribe, language)

/** Picks the words of a page in the language of the console. */
export function useWords<T>(words: Translated<T>): T {
  return words[useLanguage()]
}
