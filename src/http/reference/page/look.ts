/** How the reference page looks, and what it does in the browser: finding, copying, and trying an operation. */
import { digestOf, logo, sharedStyle } from '../../pages/look.ts'

export const icon = `data:image/svg+xml,${encodeURIComponent(logo)}`

export const referenceStyle = `${sharedStyle}
:root { --get: light-dark(#0b62c4, #6db0ff); --patch: var(--warn); --event: light-dark(#6a3fb5, #bf9dff) }
html { scroll-padding-top: 4.5rem }
body { font-size: 1rem }
a { color: var(--accent) } header a, nav a { text-decoration: none } a:hover { text-decoration: underline }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .6rem 1.25rem; background: var(--surface); border-bottom: 1px solid var(--line) }
.brand { font-weight: 700; font-size: 1.1rem; color: var(--ink); margin-right: auto } .brand img { vertical-align: -.25rem } .brand span { font-weight: 400; color: var(--ink-3); font-size: .9rem }
input, textarea { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; padding: .35rem .7rem; min-width: 0 }
header input { width: 14rem }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 92rem; margin: 0 auto }
nav { position: sticky; top: 3.6rem; align-self: start; max-height: calc(100vh - 3.6rem); overflow-y: auto; padding: 1.25rem .75rem 2rem 1.25rem; font-size: .88rem }
nav summary { font-weight: 600; padding: .2rem 0; cursor: pointer } .menu > summary { display: none }
nav details details { margin-bottom: .5rem }
nav details > a { display: block; min-height: 1.6rem; padding: .15rem .25rem; color: var(--ink-3); overflow-wrap: anywhere; border-radius: .3rem } nav details > a:hover { color: var(--ink); background: var(--sunken) }
main { padding: 1.25rem; min-width: 0 }
h1 { font-size: 1.9rem; margin: .25rem 0 .75rem } h2 { font-size: 1.4rem; margin: 2rem 0 .1rem } .lead { color: var(--ink-3); margin: 0 0 1rem }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere } h3 code { background: none; font-size: 1rem; padding: 0 } h4 { margin: .8rem 0 .2rem; font-size: .85rem; color: var(--ink-3) }
small { font-size: .75rem; color: var(--ink-3); font-weight: 400 } h3 small { border: 1px solid var(--line); border-radius: 9rem; padding: .05rem .5rem }
p { margin: 0 0 .6rem } .about { margin: .15rem 0 .8rem }
article, .record { background: var(--surface); border: 1px solid var(--line); border-radius: .8rem; padding: 1rem 1.2rem; margin: 0 0 1rem }
article:target, .record:target { border-color: var(--accent) }
.two { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1.5rem }
.m { font: 700 .68rem/1 var(--mono); color: var(--get) } h3 .m { font-size: .8rem; border: 1px solid; border-radius: .3rem; padding: .15rem .4rem }
.POST, .ok { color: var(--good) } .PATCH, .PUT { color: var(--patch) } .DELETE { color: var(--bad) } .HEAD { color: var(--ink-3) } .EVENT { color: var(--event) } .ok { font-weight: 700 }
code, pre { font: .85em/1.5 var(--mono) } code { background: var(--sunken); border-radius: .25rem; padding: .05rem .3rem; overflow-wrap: anywhere }
pre { position: relative; background: var(--sunken); border-radius: .6rem; padding: .7rem .9rem; margin: 0 0 .6rem; overflow: auto; max-height: 22rem; font-size: .8rem } pre b { font-weight: 400 }
.errors { margin: .8rem 0 0; font-size: .88rem; color: var(--ink-3) } .answer { margin: .6rem 0 .25rem; font-size: .9rem }
table { width: 100%; border-collapse: collapse; font-size: .88rem } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere } th { font: 600 .82rem/1.6 var(--mono); width: 32%; } th small { display: block; font-family: var(--font) } td i { font-style: normal; color: var(--ink-3) } td code { font-size: .8em }
ul { padding-left: 1.1rem; font-size: .88rem } summary { cursor: pointer } details:not([class]) { margin-top: .6rem }
.record summary { font-weight: 600 } .record[open] summary { margin-bottom: .5rem } .record { padding: .6rem 1.2rem; margin-bottom: .5rem }
button { font: inherit; font-size: .8rem; color: var(--accent); background: var(--surface); border: 1px solid var(--line); border-radius: .4rem; padding: .15rem .6rem; cursor: pointer } button:hover { border-color: var(--accent) }
.bar { display: flex; gap: .4rem; margin: 0 0 .6rem } .try { display: grid; gap: .4rem } .try input, .try textarea { font: .8rem/1.5 var(--mono); width: 100% } .try textarea { min-height: 8rem }
[hidden] { display: none !important }
@media (max-width: 62rem) { .page { display: block } nav { position: static; max-height: none; padding: 1rem 1.25rem 0 } .menu > summary { display: list-item; font-size: 1rem } .two { display: block } .two > div + div { margin-top: 1rem } header { position: static } html { scroll-padding-top: 0 } header input { flex: 1 1 40% } }
@media (max-width: 36rem) { main { padding: 1rem .75rem } article { padding: .9rem } th { width: 38% } }
@media print { header, nav, button { display: none } .page { display: block } pre { max-height: none } }
`

/**
 * Without it the page can be read whole. The token lives in its field only, and is gone with the page; without one the
 * browser sends the session of the console, which its cookie keeps for pages of this service.
 */
export const referenceScript = `
const words = document.documentElement.lang === 'en'
  ? { copy: 'Copy', copied: 'Copied', start: 'Try it', send: 'Send ', path: 'Path and query', body: 'Body' }
  : { copy: 'Copiar', copied: 'Copiado', start: 'Testar', send: 'Enviar ', path: 'Caminho e parâmetros', body: 'Corpo' }
const $ = (selector, of = document) => of.querySelector(selector)
const add = (parent, tag, more) => parent.appendChild(Object.assign(document.createElement(tag), more))
if (innerWidth < 992) $('.menu').open = false
const open = () => { const target = location.hash && document.getElementById(location.hash.slice(1)); if (target && target.matches('details')) target.open = true }
addEventListener('hashchange', open); open()
const find = $('#find'), token = $('#token')
find.hidden = token.hidden = false
find.addEventListener('input', () => {
  const words = find.value.toLowerCase().split(/\\s+/)
  const fits = (text) => words.every((word) => text.toLowerCase().includes(word))
  for (const article of document.querySelectorAll('article, .record')) article.hidden = !fits(article.textContent)
  for (const section of document.querySelectorAll('main > section[id]')) section.hidden = !$('article:not([hidden]), .record:not([hidden])', section)
  for (const link of document.querySelectorAll('nav details details > a')) link.hidden = document.getElementById(link.hash.slice(1))?.hidden
})
for (const article of document.querySelectorAll('article[data-send]')) {
  const pre = $('pre', article), bar = document.createElement('div')
  bar.className = 'bar'; pre.after(bar)
  const copy = add(bar, 'button', { textContent: words.copy })
  copy.onclick = async () => {
    await navigator.clipboard.writeText(pre.textContent)
    copy.textContent = words.copied
    setTimeout(() => { copy.textContent = words.copy }, 1500)
  }
  const start = add(bar, 'button', { textContent: words.start })
  start.onclick = () => { start.remove(); bar.after(form(article, pre)) }
}
function form(article, pre) {
  const [method, address] = article.dataset.send.split(/ (.*)/)
  const box = Object.assign(document.createElement('div'), { className: 'try' })
  const path = add(box, 'input', { value: address, ariaLabel: words.path })
  const body = $('b', pre) && add(box, 'textarea', { value: $('b', pre).textContent, ariaLabel: words.body })
  const send = add(add(box, 'div', { className: 'bar' }), 'button', { textContent: words.send + method })
  const out = add(box, 'pre', { hidden: true })
  send.onclick = async () => {
    out.hidden = false
    out.textContent = '…'
    const headers = { ...(token.value && { Authorization: token.value }), ...(body && { 'Content-Type': 'application/json' }) }
    try {
      const answer = await fetch('/api/v1' + path.value, { method, headers, ...(body && { body: body.value }) })
      const text = await answer.text()
      const json = (answer.headers.get('content-type') || '').includes('json') && text
      out.textContent = answer.status + ' ' + answer.statusText + '\\n' + 'RateLimit-Remaining: ' + answer.headers.get('ratelimit-remaining') + '\\n\\n' + (json ? JSON.stringify(JSON.parse(text), null, 2) : text.slice(0, 4000))
    } catch (error) { out.textContent = String(error) }
  }
  return box
}
`

/** This style, this script and requests to this service; nothing from elsewhere. */
export const referencePolicy = [
  "default-src 'none'",
  `style-src ${digestOf(referenceStyle)}`,
  `script-src ${digestOf(referenceScript)}`,
  "connect-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
].join('; ')
