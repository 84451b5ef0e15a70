/** D540: `/llms.txt`, by which a language model finds the reference: what the service is, and where each part is as text. */
import type { ApiDocument } from '../document.ts'
import { sectionPath, sectionsOf } from '../document-parts.ts'

type Guide = { title: string; path: string; about: string }

/** `publicUrl`: how the outside reaches the service. `guides`: the pages of the documentation. */
export function llmsText(document: ApiDocument, publicUrl: string, guides: Guide[]): string {
  const { title, description } = document.info
  const [summary = '', ...details] = description.split('\n\n')
  const link = (name: string, path: string, about: string) => `- [${name}](${publicUrl}${path}): ${about}`
  const sections = sectionsOf(document).map(({ name, about }) => link(name, sectionPath(name), about))
  return `# ${title} API

> ${summary}

${details.join('\n\n')}

## Guides

${guides.map(({ title: name, path, about }) => link(name, `/docs/${path}`, about)).join('\n')}

## Reference by section

${sections.join('\n')}

## The whole reference

${link('Markdown', '/docs.md', 'every section in one page')}
${link('OpenAPI 3.1', '/api/v1/openapi.json', 'for generators of clients')}
${link('Postman collection', '/docs/postman.json', 'every operation with its example')}

## Optional

${link('Reference as a page', '/docs/en/reference', 'for people, with a form that sends requests')}
${link('Documentation in Portuguese', '/docs/index.md', 'every page also exists in Brazilian Portuguese')}
`
}
