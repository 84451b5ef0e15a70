/** Small pages for people: no scripts, nothing from elsewhere. */
import type { FastifyReply } from 'fastify'
import { digestOf, logo, sharedStyle } from './look.ts'

const style = `${sharedStyle}
body { max-width: 42rem; margin: 0 auto; padding: clamp(1.5rem, 8vh, 5rem) 1rem 3rem }
.brand { display: flex; align-items: center; justify-content: center; gap: .6rem; margin-bottom: 1.25rem; font-weight: 680; font-size: 1.0625rem }
.brand svg { width: 1.75rem; height: 1.75rem }
main:not(.list), article { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); padding: 1.5rem clamp(1rem, 4vw, 1.75rem); margin-bottom: 1rem }
h1 { margin-bottom: .5rem } .list > h1 { margin-bottom: 1rem } p, ul { margin: 0 0 .75rem } p:last-child { margin-bottom: 0 }
ul { padding-left: 1.2rem } pre { margin: .75rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit } a, code { overflow-wrap: anywhere }
.faint { font-size: .875rem } .wrong { color: var(--bad) }
button, a.next { display: inline-block; min-height: 2.375rem; padding: .5rem 1.1rem; border: 0; border-radius: var(--radius-s); background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 550; text-decoration: none; cursor: pointer }
label { font-weight: 550 } input { width: min(100%, 22rem); min-height: 2.375rem; margin-top: .3rem; padding: .375rem .65rem; border: 1px solid var(--line-2); border-radius: var(--radius-s); background: var(--surface); color: inherit; font: inherit }
`

/** D323: this style and forms to ourselves, nothing else. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src ${digestOf(style)}`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export function sendPage(reply: FastifyReply, html: string) {
  return (
    reply
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', pagePolicy)
      // The address of a page may hold the token of a mailed link.
      .header('Referrer-Policy', 'no-referrer')
      .header('Cache-Control', 'no-store')
      .send(html)
  )
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** `body` is HTML already; whatever came from outside in it went through `escapeHtml`. */
export function htmlPage(title: string, body: string, language = 'en'): string {
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
<div class="brand">${logo}Ramal</div>
${body}
</html>
`
}
