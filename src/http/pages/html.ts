/** Small pages for people: no scripts, nothing from elsewhere. */
import type { FastifyReply } from 'fastify'

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

export function sendPage(reply: FastifyReply, html: string) {
  return (
    reply
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', policy)
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
<title>${escapeHtml(title)}</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 12vh auto; padding: 0 1.5rem; color: #1d2733; background: #f6f7f9 }
  main, article { background: #fff; border: 1px solid #dfe3e8; border-radius: .75rem; padding: 1.5rem 2rem; margin: 0 0 1rem }
  h1 { font-size: 1.4rem; margin: 0 0 .5rem } h2 { font-size: 1.05rem; margin: 0 }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit } .faint { color: #6b7785; font-size: .9rem }
  a { color: #0b62c4 } .wrong { color: #b3261e }
  button, a.next { display: inline-block; text-decoration: none; font: inherit; color: #fff; background: #0b62c4; border: 0; border-radius: .5rem; padding: .6rem 1.2rem; cursor: pointer }
  input { font: inherit; padding: .5rem .7rem; border: 1px solid #b8c0ca; border-radius: .5rem; width: min(100%, 22rem); box-sizing: border-box }
</style>
${body}
</html>
`
}
