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
import { bodyRows, jsonBlock, markdownMarks, parameterRows } from './tables.ts'

export function operationMarkdown(document: ApiDocument, shown: Shown): string {
  const { method, path, operation } = shown
  const { before, body = '', after } = curlOf(document, shown)
  const schema = operation.requestBody?.content['application/json']?.schema
  return paragraphs([
    `### ${method} ${path}`,
    sentence(operation.summary),
    operation.deprecated ? '**Deprecated.**' : '',
    operation.description ?? '',
    needsToken(operation) ? '' : 'No token is needed.',
    parameterRows(parametersOf(document, operation)),
    schema ? paragraphs(['Body:', bodyRows(schemaOf(document, schema))]) : '',
    `\`\`\`sh\n${before}${body}${after}\n\`\`\``,
    ...answers(document, operation),
    errors(document, operation),
  ])
}

export function webhookMarkdown(document: ApiDocument, type: string, operation: Operation): string {
  const content = operation.requestBody?.content
  const schema = content?.['application/json']?.schema
  return paragraphs([
    `### ${type}`,
    sentence(operation.summary),
    operation.description ?? '',
    schema ? `Body: ${typeWords(schema, markdownMarks)}` : '',
    jsonBlock(exampleIn(document, content)),
  ])
}

/** Without the empty ones. */
export const paragraphs = (parts: string[]) => parts.filter((part) => part !== '').join('\n\n')

function answers(document: ApiDocument, { responses }: Operation): string[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content = {}, description }]) => {
      const types = Object.keys(content)
      const schema = content['application/json']?.schema
      const what = [schema ? answerWords(schema, markdownMarks) : '', types.join(', ') || description]
      const example = exampleIn(document, content)
      const title = `Answer ${status}: ${what.filter((part) => part !== '').join(', as ')}`
      const texts = Object.entries(content).flatMap(([media, { example: text }]) =>
        typeof text === 'string' ? [`${media}:`, `\`\`\`\n${text.trim()}\n\`\`\``] : [],
      )
      return paragraphs([title, example === undefined ? '' : jsonBlock(example), ...texts])
    })
}

function errors(document: ApiDocument, operation: Operation): string {
  const own = ownCodes(document, operation).map(
    ([status, codes]) => `${status} ${codes.map(markdownMarks.code).join(', ')}`,
  )
  return own.length === 0 ? '' : `Errors besides the usual ones: ${own.join('; ')}.`
}
