/** The status page for customers (D625): plain HTML, without a script, the console or the database. */
import type { ComponentState, PublicIncident, ServiceStatus } from '../../../contract/status.ts'
import type { Language } from '../../../kit/text/language.ts'
import { escapeHtml } from '../html.ts'
import { logo } from '../look.ts'
import { statusStyle } from './look.ts'
import { statusWords } from './words.ts'

const mood: Record<ComponentState, string> = {
  operational: 'good',
  maintenance: 'calm',
  degraded: 'warn',
  outage: 'bad',
}

type Shown = { language: Language; timeZone: string; statusUrl: string }

/** `isStale`: the database is away. */
export function statusPage(status: ServiceStatus, isStale: boolean, shown: Shown): string {
  const { language, timeZone, statusUrl } = shown
  const words = statusWords[language]
  const moment = createMoment(words.locale, timeZone)
  const alert = status.writtenAt ? words.writtenAt(moment(status.writtenAt)) : words.notWritten
  const link = (to: Language, name: string) =>
    `<a href="?lang=${to}" hreflang="${to}" lang="${to}"${to === language ? ' aria-current="true"' : ''}>${name}</a>`
  return `<!doctype html>
<html lang="${words.locale}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${words.title} · Ramal</title>
<style>${statusStyle}</style>
<header class="bar"><strong>${logo}Ramal</strong><nav aria-label="${words.language}">${link('pt', 'Português')}${link('en', 'English')}</nav></header>
<main>
<div class="overall ${mood[status.state]}"><h1>${words.overall[status.state]}</h1><p class="faint">${words.title}. ${words.checked(moment(status.checkedAt))}</p></div>
${isStale ? `<p role="alert">${alert}</p>` : ''}
${section(words.incidents, status.incidents, language, moment)}
<section><h2>${words.components}</h2><ul class="parts">${status.components.map((one) => component(one, language)).join('')}</ul></section>
${section(words.maintenance, status.maintenance, language, moment)}
<section><h2>${words.history}</h2>${status.history.map((one) => article(one, language, moment)).join('') || `<p class="faint">${words.noHistory}</p>`}</section>
<p class="faint"><a href="${escapeHtml(statusUrl)}">${words.forPrograms}</a></p>
</main>
</html>
`
}

type Moment = (instant: string) => string

/** In the time zone of the service, which is named. */
function createMoment(locale: string, timeZone: string): Moment {
  const format = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  })
  return (instant) => `<time datetime="${instant}">${escapeHtml(format.format(new Date(instant)))}</time>`
}

function component({ name, state }: ServiceStatus['components'][number], language: Language): string {
  const words = statusWords[language]
  const { name: shown, about } = words.names[name]
  return `<li><span><strong>${shown}</strong> <span class="faint">${about}</span></span><span class="state ${mood[state]}">${words.states[state]}</span></li>`
}

function section(title: string, incidents: PublicIncident[], language: Language, moment: Moment): string {
  if (incidents.length === 0) return ''
  const articles = incidents.map((one) => article(one, language, moment))
  return `<section><h2>${title}</h2>${articles.join('')}</section>`
}

function article(incident: PublicIncident, language: Language, moment: Moment): string {
  const words = statusWords[language]
  const { title, kind, state, impact, components, startsAt, endsAt, updates } = incident
  const names = components.map((name) => words.names[name].name).join(', ')
  const facts = [
    `${words.kinds[kind]}: ${words.stages[state]}`,
    words.affects(impact ? `${names} (${words.impacts[impact]})` : names),
    ...(startsAt ? [words.planned(moment(startsAt), endsAt && moment(endsAt))] : []),
  ]
  const items = updates.map(
    ({ at, state: stage, text }) =>
      `<li><strong>${words.stages[stage]}</strong> <span class="faint">${moment(at)}</span><p class="text">${escapeHtml(text)}</p></li>`,
  )
  return `<article><h3>${escapeHtml(title)}</h3><p class="faint">${facts.join(' · ')}</p><ol>${items.join('')}</ol></article>`
}
