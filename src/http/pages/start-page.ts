/** What a person sees who opens `/`, or a path that does not exist, in a browser. */
import type { FastifyRequest } from 'fastify'
import { type Language, preferredLanguage, type Translated } from '../../kit/text/language.ts'
import { isFromThisMachine } from '../server/this-machine.ts'
import { escapeHtml, htmlPage } from './html.ts'

/** The parts of the service that a browser can open. */
export type StartLinks = { reference: boolean; mailbox: boolean }

type Words = {
  title: string
  about: string
  missing: string
  missingAbout: (path: string) => string
  documentation: string
  reference: string
  description: string
  status: string
  health: string
  ready: string
  mailbox: string
}

const words: Translated<Words> = {
  pt: {
    title: 'Ramal',
    about: 'Chamadas de voz e a conta pré-paga por trás delas, por uma API HTTP.',
    missing: 'Página não encontrada',
    missingAbout: (path) => `Não há nada em <code>${path}</code>.`,
    documentation: 'Documentação',
    reference: 'Referência da API',
    description: 'Descrição da API para programas (OpenAPI)',
    status: 'Status do serviço',
    health: 'O processo está no ar?',
    ready: 'O serviço está pronto?',
    mailbox: 'Caixa de e-mails de desenvolvimento',
  },
  en: {
    title: 'Ramal',
    about: 'Voice calls and the prepaid account behind them, over an HTTP API.',
    missing: 'Page not found',
    missingAbout: (path) => `There is nothing at <code>${path}</code>.`,
    documentation: 'Documentation',
    reference: 'API reference',
    description: 'Description of the API for programs (OpenAPI)',
    status: 'Service status',
    health: 'Is the process up?',
    ready: 'Is the service ready?',
    mailbox: 'Development mailbox',
  },
}

/** D109: the mailbox is shown to those who may have its link. */
export function linksFor(request: FastifyRequest, { reference, mailbox }: StartLinks): StartLinks {
  return { reference, mailbox: mailbox && isFromThisMachine(request) }
}

export const pageLanguage = (accepted: string | undefined) => preferredLanguage(accepted, 'pt')

export function startPage(links: StartLinks, language: Language): string {
  const { title, about } = words[language]
  return htmlPage(title, `<main><h1>${title}</h1><p>${about}</p>${list(links, language)}</main>`, language)
}

export function missingPage(path: string, links: StartLinks, language: Language): string {
  const { missing, missingAbout } = words[language]
  const sentence = missingAbout(escapeHtml(path.slice(0, 200)))
  return htmlPage(
    missing,
    `<main><h1>${missing}</h1><p>${sentence}</p>${list(links, language)}</main>`,
    language,
  )
}

function list({ reference, mailbox }: StartLinks, language: Language): string {
  const text = words[language]
  const items = [
    ...(reference
      ? [
          link('/docs', text.documentation),
          link(language === 'en' ? '/docs/en/reference' : '/docs/reference', text.reference),
          link('/api/v1/openapi.json', text.description),
          link('/status', text.status),
        ]
      : []),
    link('/health', text.health),
    link('/ready', text.ready),
    ...(mailbox ? [link('/mailbox', text.mailbox)] : []),
  ]
  return `<ul>${items.join('')}</ul>`
}

const link = (to: string, name: string) => `<li><a href="${to}">${name}</a></li>`

/** Whether `Accept` names HTML, and not JSON before it: browsers do, API clients do not. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes('text/html')) return false
  return qualityOf(accept, 'text/html') > qualityOf(accept, 'application/json')
}

function qualityOf(accept: string, type: string): number {
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (name !== type) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0
  }
  return 0
}
