/** D581: the API description in Portuguese, for people: names of operations and fields stay, sentences are looked up. */
import { eventTypes } from '../../contract/webhooks/events.ts'
import type { ApiDocument } from './document.ts'

/** Portuguese by the English text. */
export type Translations = Record<string, string>

/** Composed sentences, with names, numbers and scopes in them. */
const sentences: [pattern: RegExp, write: (...found: string[]) => string][] = [
  [
    /^JSON with `where`, `order`, `limit`, `offset`, `fields`; with `fields`, records have no others, required or not\. Searches by (.+)\.$/,
    (fields = '') =>
      `JSON com \`where\`, \`order\`, \`limit\`, \`offset\`, \`fields\`; com \`fields\`, os registros não têm outros campos, obrigatórios ou não. Busca por ${fields}.`,
  ],
  [
    /^Sent to integrations whose `webhookTypes` list `([\w-]+)`: of ADMINs(, and of the user who placed the call, if the constraint matches)?\. In `GET \/events` (always|only while an integration of the account lists it)\.$/,
    (type = '', user = '', when = '') =>
      `Enviado a integrações cujo \`webhookTypes\` lista \`${type}\`: as de ADMINs${user && ' e as do usuário que fez a chamada, se a condição confere'}. Em \`GET /events\`, ${when === 'always' ? 'sempre' : 'só enquanto uma integração da conta o lista'}.`,
  ],
  [
    /^(?:`[\w-]+`: [^;`]+(?:; |$)){5,}$/,
    () => `Um destes: ${eventTypes.map(({ type }) => `\`${type}\``).join(', ')}.`,
  ],
  [
    /^Anything of yours and, for a webhook, webhookUrl \(one with user:password@ is sent Basic authorization, and shown as user:\*\*\*@\), webhookVersion, webhookTypes \(a list of (.+)\)$/,
    (types = '') =>
      `O que você quiser e, para um webhook, webhookUrl (com user:password@ leva autorização Basic, e aparece como user:***@), webhookVersion e webhookTypes (uma lista de ${types})`,
  ],
  [/ ?\bFor ADMINs only\./, () => 'Só para ADMINs.'],
  [/ ?\bScope: ((?:`[\w:]+`| or )+)\./, (scopes = '') => `Escopo: ${scopes.replaceAll(' or ', ' ou ')}.`],
  [
    / ?\bAt most (\d+) requests in (\d+) seconds by (address|user and extension|user)\./,
    (max = '', seconds = '', by = '') =>
      `No máximo ${max} requisições em ${seconds} segundos por ${countedBy[by] ?? by}.`,
  ],
]
const countedBy: Record<string, string> = {
  address: 'endereço',
  user: 'usuário',
  'user and extension': 'usuário e ramal',
}

/** Text with the sentences above taken off, which are given in Portuguese. */
function splitSentences(text: string): { own: string; others: string[] } {
  let own = text
  const others: string[] = []
  for (const [pattern, write] of sentences) {
    const found = pattern.exec(own)
    if (found === null) continue
    others.push(write(...found.slice(1)))
    own = own.replace(pattern, '')
  }
  return { own: own.trim(), others }
}

/** Lists of error codes, which need no translation. */
const isCodes = (text: string) => /^(`\w+`(, )?)+$/.test(text)

/** The texts of a description that people read, without those that are composed. */
export function textsOf(document: ApiDocument): Set<string> {
  const texts = new Set<string>()
  walk(document, (text) => {
    const { own } = splitSentences(text)
    if (own !== '' && !isCodes(own)) texts.add(own)
    return text
  })
  return texts
}

/** A text without a translation stays in English. */
export function translateDocument(document: ApiDocument, translations: Translations): ApiDocument {
  return walk(document, (text) => {
    const { own, others } = splitSentences(text)
    return [translations[own] ?? own, ...others].filter((part) => part !== '').join(' ')
  })
}

const readable = new Set(['summary', 'description'])
/** Data, not text about it. */
const samples = new Set(['example', 'examples', 'value', 'default', 'enum', 'const'])

/** A copy of the document whose texts are replaced; names of sections are texts as well. */
function walk(document: ApiDocument, replace: (text: string) => string): ApiDocument {
  function copy(value: unknown, key = ''): unknown {
    if (Array.isArray(value)) return value.map((one) => (key === 'tags' ? copyTag(one) : copy(one)))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => {
        if (typeof part === 'string' && readable.has(name)) return [name, replace(part)]
        return [name, samples.has(name) && key !== 'properties' ? part : copy(part, name)]
      }),
    )
  }
  function copyTag(tag: unknown): unknown {
    if (typeof tag === 'string') return replace(tag)
    const { name, description } = tag as { name: string; description: string }
    return { name: replace(name), description: replace(description) }
  }
  return copy(document) as ApiDocument
}
