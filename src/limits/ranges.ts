/**
 * D194: ranges of numbers that are off until the operator enables them for an account, besides everything outside Brazil,
 * which has a switch of its own. A number belongs to the longest prefix it begins with. Premium numbers of any country,
 * such as 0900 and 0500 of Brazil, are refused to everybody (D10) and not listed here.
 */
import type { Translated } from '../kit/text/language.ts'

export type Range = {
  /** E.164 without plus. */
  prefix: string
  name: Translated<string>
  reason: Translated<string>
}

const reasons = {
  personal: {
    en: 'Personal numbers: their owners earn from each call, at the price of a premium number.',
    pt: 'Números pessoais: o dono ganha com cada chamada, ao preço de um número de tarifa especial.',
  },
  satellite: {
    en: 'Satellite and global networks: a minute may cost more than an hour elsewhere.',
    pt: 'Redes via satélite e globais: um minuto pode custar mais que uma hora em outros destinos.',
  },
  lookalike: {
    en: 'Looks like a number of the United States, costs many times as much, and is used to defraud callers.',
    pt: 'Parece um número dos Estados Unidos, custa muitas vezes mais e é usado em fraudes.',
  },
  fraud: {
    en: 'A destination on which stolen credit is often spent, since a part of the price goes to the one called.',
    pt: 'Um destino em que se costuma gastar crédito roubado, porque parte do preço vai para quem é chamado.',
  },
  shared: {
    en: 'Costs more than an ordinary call, and the one called may earn from it.',
    pt: 'Custa mais que uma chamada comum, e quem é chamado pode ganhar com ela.',
  },
} as const satisfies Record<string, Translated<string>>

type Row = [prefix: string, en: string, pt: string]

const table: Record<keyof typeof reasons, Row[]> = {
  personal: [
    ['4470', 'United Kingdom, personal numbers', 'Reino Unido, números pessoais'],
    ['878', 'Universal personal numbers', 'Números pessoais universais'],
  ],
  satellite: [
    ['870', 'Inmarsat', 'Inmarsat'],
    ['881', 'Global satellite networks', 'Redes globais via satélite'],
    ['882', 'International networks', 'Redes internacionais'],
    ['883', 'International networks', 'Redes internacionais'],
    ['888', 'Disaster relief networks', 'Redes de socorro em desastres'],
  ],
  lookalike: [
    ['1242', 'Bahamas', 'Bahamas'],
    ['1246', 'Barbados', 'Barbados'],
    ['1264', 'Anguilla', 'Anguila'],
    ['1268', 'Antigua and Barbuda', 'Antígua e Barbuda'],
    ['1284', 'British Virgin Islands', 'Ilhas Virgens Britânicas'],
    ['1345', 'Cayman Islands', 'Ilhas Cayman'],
    ['1441', 'Bermuda', 'Bermudas'],
    ['1473', 'Grenada', 'Granada'],
    ['1649', 'Turks and Caicos Islands', 'Ilhas Turcas e Caicos'],
    ['1658', 'Jamaica', 'Jamaica'],
    ['1664', 'Montserrat', 'Montserrat'],
    ['1684', 'American Samoa', 'Samoa Americana'],
    ['1721', 'Sint Maarten', 'Sint Maarten'],
    ['1758', 'Saint Lucia', 'Santa Lúcia'],
    ['1767', 'Dominica', 'Dominica'],
    ['1784', 'Saint Vincent and the Grenadines', 'São Vicente e Granadinas'],
    ['1809', 'Dominican Republic', 'República Dominicana'],
    ['1829', 'Dominican Republic', 'República Dominicana'],
    ['1849', 'Dominican Republic', 'República Dominicana'],
    ['1868', 'Trinidad and Tobago', 'Trinidad e Tobago'],
    ['1869', 'Saint Kitts and Nevis', 'São Cristóvão e Névis'],
    ['1876', 'Jamaica', 'Jamaica'],
  ],
  fraud: [
    ['53', 'Cuba', 'Cuba'],
    ['216', 'Tunisia', 'Tunísia'],
    ['220', 'Gambia', 'Gâmbia'],
    ['224', 'Guinea', 'Guiné'],
    ['231', 'Liberia', 'Libéria'],
    ['232', 'Sierra Leone', 'Serra Leoa'],
    ['239', 'São Tomé and Príncipe', 'São Tomé e Príncipe'],
    ['247', 'Ascension Island', 'Ilha de Ascensão'],
    ['252', 'Somalia', 'Somália'],
    ['263', 'Zimbabwe', 'Zimbábue'],
    ['269', 'Comoros', 'Comores'],
    ['371', 'Latvia', 'Letônia'],
    ['500', 'Falkland Islands', 'Ilhas Malvinas'],
    ['674', 'Nauru', 'Nauru'],
    ['675', 'Papua New Guinea', 'Papua-Nova Guiné'],
    ['677', 'Solomon Islands', 'Ilhas Salomão'],
    ['685', 'Samoa', 'Samoa'],
    ['960', 'Maldives', 'Maldivas'],
  ],
  shared: [
    ['4484', 'United Kingdom, shared cost', 'Reino Unido, custo compartilhado'],
    ['4487', 'United Kingdom, special services', 'Reino Unido, serviços especiais'],
    ['808', 'International shared cost', 'Custo compartilhado internacional'],
  ],
}

/** By prefix. */
export const ranges: Range[] = Object.entries(table)
  .flatMap(([reason, rows]) =>
    rows.map(([prefix, en, pt]) => ({
      prefix,
      name: { en, pt },
      reason: reasons[reason as keyof typeof reasons],
    })),
  )
  .sort((a, b) => (a.prefix < b.prefix ? -1 : 1))

const byPrefix = new Map(ranges.map((range) => [range.prefix, range]))
const longest = Math.max(...ranges.map(({ prefix }) => prefix.length))

/** The range that a number, in E.164 without plus, belongs to. */
export function rangeOf(number: string): Range | undefined {
  for (let length = longest; length > 1; length -= 1) {
    const range = byPrefix.get(number.slice(0, length))
    if (range) return range
  }
  return undefined
}

export function isRange(prefix: string): boolean {
  return byPrefix.has(prefix)
}

const ownCountry = '55'

export function isInternational(number: string): boolean {
  return !number.startsWith(ownCountry)
}
