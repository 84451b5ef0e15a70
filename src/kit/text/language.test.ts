import { expect, test } from 'vitest'
import { preferredLanguage } from './language.ts'

test.each([
  ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
  ['en-US,en;q=0.9,pt;q=0.8', 'en'],
  ['fr, en;q=0.3, pt;q=0.7', 'pt'],
  ['EN', 'en'],
  ['pt;q=0, en;q=0.1', 'en'],
  ['pt, en', 'pt'],
])('%s prefers %s', (header, language) => {
  expect(preferredLanguage(header, language === 'pt' ? 'en' : 'pt')).toBe(language)
})

test.each([undefined, '', '*', 'fr-FR', 'pt;q=0', 'pt;q=x', ';;,,'])(
  '%s leaves the choice to the fallback',
  (header) => {
    expect(preferredLanguage(header, 'en')).toBe('en')
    expect(preferredLanguage(header, 'pt')).toBe('pt')
  },
)
