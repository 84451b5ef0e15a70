/** What a person sees who opens the link for a softphone in a browser (D328): the link is not used up. */
import type { Translated } from '../../kit/text/language.ts'
import { escapeHtml } from './html.ts'
import { type Headers, languageOf, linkPage } from './link-page.ts'

const words: Translated<{ title: string; about: string; open: string }> = {
  pt: {
    title: 'Configurar o Linphone',
    about: 'Leia o código com o leitor dentro do Linphone ou, neste aparelho, abra o aplicativo:',
    open: 'Abrir o Linphone',
  },
  en: {
    title: 'Set up Linphone',
    about: 'Scan the code with the scanner inside Linphone or, on this device, open the application:',
    open: 'Open Linphone',
  },
}

export function setupLinkPage(url: string, headers: Headers): string {
  const language = languageOf(headers)
  const { title, about, open } = words[language]
  const link = `<p><a class="next" href="linphone-config:${escapeHtml(url)}">${open}</a></p>`
  return linkPage(title, `<p>${about}</p>${link}`, language)
}
