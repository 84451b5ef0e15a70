/** The files of types that are written from the description of the API. */
import type { ApiDocument } from '../../src/http/reference/document.ts'
import { describePhpTypes } from './php.ts'
import { describePythonTypes } from './python.ts'
import { describeTypes } from './typescript.ts'

const clients = new URL('../../clients/', import.meta.url)

export function describeClientTypes(document: ApiDocument): { file: URL; text: string }[] {
  return [
    { file: new URL('typescript/src/api-types.ts', clients), text: describeTypes(document) },
    { file: new URL('python/ramal/types.py', clients), text: describePythonTypes(document) },
    { file: new URL('php/src/Types.php', clients), text: describePhpTypes(document) },
  ]
}
