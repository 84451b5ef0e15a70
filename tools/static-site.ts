/** D582: the documentation as files that any web server, or a browser without one, can show. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ApiDocument } from '../src/http/reference/document.ts'
import { createSite } from '../src/http/site/site.ts'

/** `publicUrl`: the service that the pages are about. Returns the files that were written. */
export function writeStaticSite(folder: string, document: ApiDocument, publicUrl: string): string[] {
  const described = { ...document, servers: [{ url: `${publicUrl}/api/v1` }] }
  const { files } = createSite({ document: described, publicUrl, ending: '.html' })
  for (const [path, { compose }] of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, compose())
  }
  return [...files.keys()]
}
