/** Why a regular expression is refused: each text continues a sentence that begins with the path inside the filter. */
import type { Translated } from '../../../kit/text/language.ts'

export const texts = {
  asksForNul: {
    en: 'asks for the NUL character, which no text contains',
    pt: 'procura o caractere NUL, que nenhum texto contém',
  },
  switchesFlags: { en: 'must not switch flags inside', pt: 'não pode mudar flags no meio' },
  backreference: { en: 'must not refer back to a group', pt: 'não pode referir-se a um grupo anterior' },
  property: { en: 'must not use Unicode properties', pt: 'não pode usar propriedades Unicode' },
  setOperation: { en: 'must not use set operations', pt: 'não pode usar operações de conjuntos' },
  emptyClass: {
    en: 'has a class that matches nothing',
    pt: 'tem uma classe que não corresponde a nada',
  },
  looksAround: {
    en: 'must not look ahead or behind',
    pt: 'não pode olhar para a frente nem para trás (lookahead, lookbehind)',
  },
} as const satisfies Record<string, Translated<string>>

export function repeatsTooOften(most: number): Translated<string> {
  return {
    en: `must not repeat more than ${most} times`,
    pt: `não pode repetir mais de ${most} vezes`,
  }
}

/** The parser gives its reason in English; in Portuguese, one that is not listed here is left out. */
export function noRegexp(reason: string): Translated<string> {
  const translated = reasons.get(reason)
  return {
    en: `is not a regular expression: ${reason}`,
    pt: `não é uma expressão regular${translated === undefined ? '' : `: ${translated}`}`,
  }
}

const reasons = new Map([
  ['\\ at end of pattern', '\\ no fim da expressão'],
  ['Duplicate capture group name', 'nome de grupo repetido'],
  ['Incomplete quantifier', 'quantificador incompleto'],
  ['Invalid capture group name', 'nome de grupo inválido'],
  ['Invalid character class', 'classe de caracteres inválida'],
  ['Invalid escape', 'escape inválido'],
  ['Invalid group', 'grupo inválido'],
  ['Invalid named capture referenced', 'referência a um grupo que não existe'],
  ['Invalid named reference', 'referência inválida a um grupo'],
  ['Invalid property name', 'propriedade Unicode inválida'],
  ['Invalid unicode escape', 'escape Unicode inválido'],
  ['Lone quantifier brackets', 'chave ou colchete sem par'],
  ['Nothing to repeat', 'nada a repetir'],
  ['numbers out of order in {} quantifier', 'números fora de ordem no quantificador {}'],
  ['Range out of order in character class', 'intervalo fora de ordem na classe de caracteres'],
  ["Unmatched ')'", 'parêntese ")" sem par'],
  ['Unterminated character class', 'classe de caracteres sem fim'],
  ['Unterminated group', 'grupo sem fim'],
])
