/** Problems of a trunk in the operator's language: nodes report them in English. */
import type { Language, Translated } from '../../words/translated.ts'

const known: [RegExp, Translated<string>][] = [
  [/^Trunk \S+ does not answer OPTIONS$/, { pt: 'não responde a OPTIONS', en: 'does not answer OPTIONS' }],
  [
    /^Trunk \S+: its address is not known to DNS$/,
    { pt: 'o endereço não existe no DNS', en: 'its address is not known to DNS' },
  ],
  [
    /^Trunk \S+ refuses to register us: (.*)$/,
    { pt: 'recusa o registro: $1', en: 'refuses to register us: $1' },
  ],
]

/** Without the name of the trunk. Anything else is shown as it was reported. */
export function explainTrunk(reported: string, language: Language): string {
  const [pattern, words] = known.find(([one]) => one.test(reported)) ?? []
  return pattern && words ? reported.replace(pattern, words[language]) : reported
}
