import { expect, test } from 'vitest'
import { readContact, readSearch, searchText } from './contact.ts'

function problemsOf(input: Parameters<typeof readContact>[0]): Record<string, string[]> {
  const { problems } = readContact(input)
  return Object.fromEntries(
    Object.entries(problems).map(([field, some]) => [field, some.map(({ code }) => code)]),
  )
}

test('numbers are kept in E.164 without plus, each once, in the order given', () => {
  const numbers = ['(48) 3333-4444', '+55 48 99999-8888', '554833334444', '+1 212 555 2368']
  expect(readContact({ name: ' Ana ', numbers }).fields).toEqual({
    name: 'Ana',
    numbers: ['554833334444', '5548999998888', '12125552368'],
  })
})

test('what is no number, a blank name and a text of two lines are wrong, each by itself and all at once', () => {
  expect(problemsOf({ numbers: ['123'] })).toEqual({ numbers: ['format'] })
  expect(problemsOf({ name: ' ', company: 'a\nb', numbers: ['123'] })).toEqual({
    name: ['presence'],
    company: ['format'],
    numbers: ['format'],
  })
})

test('a search ignores case and accents, and takes digits for a number', () => {
  expect(searchText(' João AÇAÍ ')).toBe('joao acai')
  expect(readSearch('João  Souza')).toEqual({ words: ['joao', 'souza'], digits: undefined })
  expect(readSearch('(48) 9999')).toEqual({ words: ['(48)', '9999'], digits: '489999' })
  expect(readSearch('12').digits).toBeUndefined()
  expect(readSearch('Loja 1234').digits).toBeUndefined()
})
