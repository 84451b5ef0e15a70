import { expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { readContact, readSearch, searchText } from './contact.ts'

function problemsOf(run: () => unknown): Record<string, string[]> {
  try {
    run()
  } catch (error) {
    const details = error instanceof Refusal ? error.details?.en : undefined
    if (details && 'codes' in details) return details.codes
    throw error
  }
  return {}
}

test('numbers are kept in E.164 without plus, each once, in the order given', () => {
  const numbers = ['(48) 3333-4444', '+55 48 99999-8888', '554833334444', '+1 212 555 2368']
  expect(readContact({ name: ' Ana ', numbers })).toEqual({
    name: 'Ana',
    numbers: ['554833334444', '5548999998888', '12125552368'],
  })
})

test('what is no number, a blank name and a text of two lines are refused', () => {
  expect(problemsOf(() => readContact({ numbers: ['123'] }))).toEqual({ numbers: ['format'] })
  expect(problemsOf(() => readContact({ name: ' ' }))).toEqual({ name: ['presence'] })
  expect(problemsOf(() => readContact({ name: 'Ana', company: 'a\nb' }))).toEqual({ company: ['format'] })
})

test('a search ignores case and accents, and takes digits for a number', () => {
  expect(searchText(' João AÇAÍ ')).toBe('joao acai')
  expect(readSearch('João  Souza')).toEqual({ words: ['joao', 'souza'], digits: undefined })
  expect(readSearch('(48) 9999')).toEqual({ words: ['(48)', '9999'], digits: '489999' })
  expect(readSearch('12').digits).toBeUndefined()
  expect(readSearch('Loja 1234').digits).toBeUndefined()
})
