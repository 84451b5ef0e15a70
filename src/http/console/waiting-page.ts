/** What a person sees at `/console` while it is being built, or when it could not be. */

import { command } from '../../kit/process/command.ts'
import { type Language, languageTags, type Translated } from '../../kit/text/language.ts'
import { escapeHtml, htmlPage } from '../pages/html.ts'

type Words = { building: string; wait: string; failed: string; api: string; advice: string }

const words: Translated<Words> = {
  pt: {
    building: 'O console está sendo preparado',
    wait: 'Isso leva alguns segundos. Esta página se atualiza sozinha.',
    failed: 'O console não pôde ser preparado',
    api: 'A API e as chamadas funcionam normalmente.',
    advice: `No servidor, <code>${command} doctor</code> diz o que fazer.`,
  },
  en: {
    building: 'The console is being prepared',
    wait: 'This takes a few seconds. The page reloads by itself.',
    failed: 'The console could not be prepared',
    api: 'The API and calls work as usual.',
    advice: `On the server, <code>${command} doctor</code> says what to do.`,
  },
}

export function buildingPage(language: Language): string {
  const { building, wait } = words[language]
  const reload = '<meta http-equiv="refresh" content="1">'
  return htmlPage(
    building,
    `${reload}<main><h1>${building}</h1><p>${wait}</p></main>`,
    languageTags[language],
  )
}

export function failedPage(reason: string, language: Language): string {
  const { failed, api, advice } = words[language]
  const body = `<main><h1>${failed}</h1><p class="wrong">${escapeHtml(reason.slice(0, 300))}</p><p>${api} ${advice}</p></main>`
  return htmlPage(failed, body, languageTags[language])
}
