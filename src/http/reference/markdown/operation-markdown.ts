/** One operation of the API, or one webhook, as Markdown. */
import { curlOf } from '../curl.ts'
import type { ApiDocument, Operation } from '../document.ts'
import {
  exampleIn,
  needsToken,
  ownCodes,
  parametersOf,
  type Shown,
  schemaOf,
  sentence,
} from '../document-parts.ts'
import { answerWords, typeWords } from '../type-words.ts'
import type { ReferenceWords } from '../words.ts'
import { codeMark, fieldRows, jsonBlock, markdownMarks, parameterRows } from './tables.ts'

export function operationMarkdown(document: ApiDocument, shown: Shown, words: ReferenceWords): string {
  const { method, path, operation } = shown
  const { before, body = '', after } = curlOf(document, shown)
  const schema = operation.requestBody?.content['application/json']?.schema
  return paragraphs([
    `### ${method} ${path}`,
    sentence(operation.summary),
    operation.deprecated ? `**${words.deprecated}**` : '',
    operation.description ?? '',
    needsToken(operation) ? '' : `*${words.noToken}*`,
    parameterRows(parametersOf(document, operation), words),
    schema ? paragraphs([`${words.body}:`, fieldRows(schemaOf(document, schema), words, true)]) : '',
    `\`\`\`sh\n${before}${body}${after}\n\`\`\``,
    ...answers(document, operation, words),
    errors(document, operation, words),
  ])
}

export function webhookMarkdown(
  document: ApiDocument,
  type: string,
  operation: Operation,
  words: ReferenceWords,
): string {
  const content = operation.requestBody?.content
  const schema = content?.['application/json']?.schema
  return paragraphs([
    `### ${type}`,
    sentence(operation.summary),
    operation.description ?? '',
    schema ? `${words.body}: ${typeWords(schema, markdownMarks(words))}` : '',
    jsonBlock(exampleIn(document, content)),
  ])
}

/** Without the empty ones. */
export const paragraphs = (parts: string[]) => parts.filter((part) => part !== '').join('\n\n')

function answers(document: ApiDocument, { responses }: Operation, words: ReferenceWords): string[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content = {}, description }]) => {
      const types = Object.keys(content)
      const schema = content['application/json']?.schema
      const what = [schema ? answerWords(schema, markdownMarks(words)) : '', types.join(', ') || description]
      const example = exampleIn(document, content)
      const title = `${words.answer} ${status}: ${what.filter((part) => part !== '').join(words.as)}`
      const texts = Object.entries(content).flatMap(([media, { example: text }]) =>
        typeof text === 'string' ? [`${media}:`, `\`\`\`\n${text.trim()}\n\`\`\``] : [],
      )
      return paragraphs([title, example === undefined ? '' : jsonBlock(example), ...texts])
    })
}

function errors(document: ApiDocument, operation: Operation, words: ReferenceWords): string {
  const own = ownCodes(document, operation).map(
    ([status, codes]) => `${status} ${codes.map(codeMark).join(', ')}`,
  )
  return own.length === 0 ? '' : `${words.besides}: ${own.join('; ')}.`
}
