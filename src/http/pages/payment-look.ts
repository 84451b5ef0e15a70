/** How the payment page looks, and the one thing it does in the browser: copying a code. */
import { digestOf, sharedStyle } from './look.ts'

export const paymentStyle = `${sharedStyle}
body { overflow-wrap: anywhere }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; max-width: 44rem; margin: 0 auto; padding: 1rem 1.25rem }
.bar strong { display: flex; align-items: center; gap: .6rem; font-size: 1.0625rem; font-weight: 680 } .bar svg { width: 1.75rem; height: 1.75rem }
.bar nav { margin-left: auto; display: flex; gap: .25rem }
.bar nav a { padding: .25rem .6rem; border-radius: 99rem; text-decoration: none; font-size: .9rem }
.bar nav a[aria-current] { background: var(--accent-soft); color: var(--accent) }
.tag { white-space: nowrap; font-size: .75rem; font-weight: 600; padding: .1rem .5rem; border-radius: 99rem; background: var(--warn-soft); color: var(--warn) }
main { max-width: 44rem; margin: 0 auto; padding: 0 1rem 3rem }
section { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); padding: 1.5rem; margin: 0 0 1rem }
h1 { font-size: 2.4rem; line-height: 1.15; margin: 0; font-variant-numeric: tabular-nums }
h2 { font-size: 1.1rem; margin: 0 0 .75rem }
p { margin: 0 0 .75rem } p:last-child { margin-bottom: 0 }
.faint { color: var(--ink-3); font-size: .92rem }
.head { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: flex-start; justify-content: space-between; margin-bottom: .4rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1rem 0 0 }
dt { color: var(--ink-3) } dd { margin: 0; overflow-wrap: anywhere }
.state { font-size: .85rem; font-weight: 600; padding: .2rem .7rem; border-radius: 99rem; border: 1px solid currentColor }
.good { color: var(--good) } .bad { color: var(--bad) } .wait { color: var(--warn) } .calm { color: var(--ink-3) }
.news { border-left: .3rem solid currentColor } .news p { color: var(--ink) }
[role=alert] { border: 1px solid var(--bad); border-left-width: .3rem; background: var(--bad-soft); border-radius: var(--radius-s); padding: .75rem 1rem; margin: 0 0 1rem }
.tabs { display: flex; gap: .4rem; overflow-x: auto; margin: 0 0 1.25rem; padding-bottom: .25rem }
.tabs a { flex: 1 0 auto; text-align: center; padding: .6rem .9rem; border: 1px solid var(--line); border-radius: var(--radius-s); text-decoration: none; color: var(--ink); font-weight: 500 }
.tabs a[aria-current] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); color: var(--accent) }
.pix { display: grid; grid-template-columns: 15rem 1fr; gap: 1.5rem; align-items: start; margin-bottom: 1.25rem }
.qr { display: block; width: 100%; border-radius: var(--radius-s); background: #fff }
.bars { display: block; width: 100%; height: 5.5rem; padding: .5rem; margin-bottom: 1rem; border-radius: var(--radius-s); background: #fff }
ol { margin: 0 0 1rem; padding-left: 1.2rem }
.code { display: flex; flex-wrap: wrap; gap: .5rem; margin-bottom: 1.25rem }
.pix .code { margin-bottom: 0 }
.code textarea { flex: 1 1 14rem; min-width: 0; font: .8rem/1.5 var(--mono); resize: none; overflow-wrap: anywhere; field-sizing: content }
input, textarea { width: 100%; font: inherit; color: inherit; padding: .6rem .75rem; border: 1px solid var(--line-2); border-radius: var(--radius-s); background: var(--surface) }
input[aria-invalid] { border-color: var(--bad) }
label { display: block; font-weight: 500; margin-bottom: .9rem } label input { margin-top: .25rem; font-weight: 400 }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem }
.problem { display: block; color: var(--bad); font-size: .88rem; font-weight: 400; margin-top: .2rem }
button { font: inherit; font-weight: 600; padding: .65rem 1.1rem; border-radius: var(--radius-s); border: 1px solid var(--accent); background: var(--surface); color: var(--accent); cursor: pointer }
button.main { width: 100%; background: var(--accent); color: var(--accent-ink); padding: .8rem 1.1rem }
button:hover { filter: brightness(.96) } button.main:hover { filter: brightness(1.08) }
.actions { display: flex; flex-wrap: wrap; gap: .6rem } .actions form { margin: 0 }
.play { border-style: dashed }
summary { cursor: pointer; font-weight: 500 } details { margin-top: 1rem }
table { border-collapse: collapse; width: 100%; margin-top: .5rem; font-size: .92rem } td { padding: .35rem .5rem .35rem 0; border-top: 1px solid var(--line) } td:first-child { font-variant-numeric: tabular-nums; white-space: nowrap }
table + p { margin-top: .5rem }
@media (max-width: 36rem) { .pix { grid-template-columns: 1fr } .pix .qr { max-width: 17rem; margin: 0 auto } section { padding: 1.1rem } h1 { font-size: 2rem } .tabs { display: grid; grid-template-columns: 1fr 1fr } .code button { width: 100% } .actions form, .actions button { width: 100% } }
`

/** Without it everything works but the button that copies, which it shows. */
export const paymentScript = `
for (const button of document.querySelectorAll('[data-copies]')) {
  const code = document.getElementById(button.dataset.copies)
  button.hidden = false
  button.addEventListener('click', async () => {
    try { await navigator.clipboard.writeText(code.value) }
    catch { code.select(); document.execCommand('copy') }
    const label = button.textContent
    button.textContent = button.dataset.done
    setTimeout(() => { button.textContent = label }, 2000)
  })
}
`

/** This style and this script and nothing else, from anywhere; forms come back to us alone. */
export const paymentPolicy = [
  "default-src 'none'",
  `style-src ${digestOf(paymentStyle)}`,
  `script-src ${digestOf(paymentScript)}`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
