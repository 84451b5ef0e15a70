/** Words of the page of an address that does not exist. */
import type { Translated } from '../../words/translated.ts'

const pt = {
  title: 'Página não encontrada',
  about: 'O endereço não existe ou você não tem acesso a ele.',
  hint: 'Ctrl-K encontra páginas, chamadas, pessoas e números.',
  back: 'Voltar ao início',
}

const en: typeof pt = {
  title: 'Page not found',
  about: 'The address does not exist, or you may not see it.',
  hint: 'Ctrl-K finds pages, calls, people and numbers.',
  back: 'Back to the start',
}

export const notFoundWords: Translated<typeof pt> = { pt, en }
