/** The language of the console: chosen by the person, else that of the browser, else Portuguese. */
import { useSyncExternalStore } from 'react'

import type { Language, Translated } from './translated.ts'

export type { Language, Translated }

const key = 'ramal.language'
const listeners = new Set<() => void>()

let current: Language = read()

function read(): Language {
  const kept = localStorage.getItem(key)
  if (kept === 'pt' || kept === 'en') return kept
  const [first] = navigator.languages
    .map((tag) => tag.slice(0, 2))
    .filter((tag) => tag === 'pt' || tag === 'en')
  return first === 'en' ? 'en' : 'pt'
}

export const language = (): Language => current
export const locale = (): string => (current === 'pt' ? 'pt-BR' : 'en-GB')

export function setLanguage(chosen: Language) {
  localStorage.setItem(key, chosen)
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
