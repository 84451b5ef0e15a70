/** Texts around a page of the documentation, in both languages. */
import type { Translated } from '../../kit/text/language.ts'

type SiteWords = {
  name: string
  skip: string
  menu: string
  search: string
  /** For the script of the search. */
  nothing: string
  inOther: string
  onThisPage: string
  /** Name of the other language, in that language. */
  other: string
  markdown: string
  previous: string
  next: string
  /** Below a block of code. */
  machine: string
  copy: string
  copied: string
}

export const siteWords: Translated<SiteWords> = {
  pt: {
    name: 'Documentação',
    skip: 'Ir para o conteúdo',
    menu: 'Páginas',
    search: 'Buscar na documentação',
    nothing: 'Nada encontrado.',
    inOther: 'em inglês',
    onThisPage: 'Nesta página',
    other: 'English',
    markdown: 'Markdown',
    previous: 'Anterior',
    next: 'Próxima',
    machine: 'Para um servidor ou aparelho seu: adapte antes de executar.',
    copy: 'Copiar',
    copied: 'Copiado',
  },
  en: {
    name: 'Documentation',
    skip: 'Skip to content',
    menu: 'Pages',
    search: 'Search the documentation',
    nothing: 'Nothing found.',
    inOther: 'in Portuguese',
    onThisPage: 'On this page',
    other: 'Português',
    markdown: 'Markdown',
    previous: 'Previous',
    next: 'Next',
    machine: 'For a server or a device of yours: adapt it before you run it.',
    copy: 'Copy',
    copied: 'Copied',
  },
}
