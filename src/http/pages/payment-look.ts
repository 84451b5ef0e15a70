/** How the payment page looks, and the one thing it does in the browser: copying a code. */
import { hash } from 'node:crypto'

export const paymentStyle = `
:root { --ink: #16202c; --faint: #5d6b7a; --line: #dce2e9; --paper: #fff; --ground: #eef1f5; --accent: #0b62c4; --good: #0a7a47; --bad: #b3261e; --wait: #8a5a00 }
* { box-sizing: border-box }
body { margin: 0; font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--ink); background: var(--ground); overflow-wrap: anywhere }
a { color: var(--accent) }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; max-width: 44rem; margin: 0 auto; padding: 1rem 1.25rem }
.bar strong { font-size: 1.1rem; letter-spacing: .01em }
.bar nav { margin-left: auto; display: flex; gap: .25rem }
.bar nav a { padding: .25rem .6rem; border-radius: 99rem; text-decoration: none; font-size: .9rem }
.bar nav a[aria-current] { background: var(--ink); color: #fff }
.tag { white-space: nowrap; font-size: .75rem; font-weight: 600; padding: .1rem .5rem; border-radius: 99rem; background: #fff2d1; color: #6b4700; border: 1px solid #f0d48a }
main { max-width: 44rem; margin: 0 auto; padding: 0 1rem 3rem }
section { background: var(--paper); border: 1px solid var(--line); border-radius: .9rem; padding: 1.5rem; margin: 0 0 1rem }
h1 { font-size: 2.4rem; line-height: 1.15; margin: 0; font-variant-numeric: tabular-nums }
h2 { font-size: 1.1rem; margin: 0 0 .75rem }
p { margin: 0 0 .75rem } p:last-child { margin-bottom: 0 }
.faint { color: var(--faint); font-size: .92rem }
.head { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: flex-start; justify-content: space-between; margin-bottom: .4rem }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1rem 0 0 }
dt { color: var(--faint) } dd { margin: 0; overflow-wrap: anywhere }
.state { font-size: .85rem; font-weight: 600; padding: .2rem .7rem; border-radius: 99rem; border: 1px solid currentColor }
.good { color: var(--good) } .bad { color: var(--bad) } .wait { color: var(--wait) } .calm { color: var(--faint) }
.news { border-left: .3rem solid currentColor } .news p { color: var(--ink) }
[role=alert] { border: 1px solid var(--bad); border-left-width: .3rem; background: #fdf0ef; border-radius: .6rem; padding: .75rem 1rem; margin: 0 0 1rem }
.tabs { display: flex; gap: .4rem; overflow-x: auto; margin: 0 0 1.25rem; padding-bottom: .25rem }
.tabs a { flex: 1 0 auto; text-align: center; padding: .6rem .9rem; border: 1px solid var(--line); border-radius: .6rem; text-decoration: none; color: var(--ink); font-weight: 500 }
.tabs a[aria-current] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); color: var(--accent) }
.pix { display: grid; grid-template-columns: 15rem 1fr; gap: 1.5rem; align-items: start; margin-bottom: 1.25rem }
.qr { display: block; width: 100%; border: 1px solid var(--line); border-radius: .6rem }
.bars { display: block; width: 100%; height: 4.5rem; margin-bottom: 1rem }
ol { margin: 0 0 1rem; padding-left: 1.2rem }
.code { display: flex; flex-wrap: wrap; gap: .5rem; margin-bottom: 1.25rem }
.pix .code { margin-bottom: 0 }
.code textarea { flex: 1 1 14rem; min-width: 0; font: .8rem/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; resize: none; overflow-wrap: anywhere; field-sizing: content }
input, textarea { width: 100%; font: inherit; color: inherit; padding: .6rem .75rem; border: 1px solid #b6c0cc; border-radius: .55rem; background: #fff }
input:focus-visible, textarea:focus-visible, button:focus-visible, a:focus-visible, summary:focus-visible { outline: 3px solid #8fc1ff; outline-offset: 1px }
input[aria-invalid] { border-color: var(--bad) }
label { display: block; font-weight: 500; margin-bottom: .9rem } label input { margin-top: .25rem; font-weight: 400 }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem }
.problem { display: block; color: var(--bad); font-size: .88rem; font-weight: 400; margin-top: .2rem }
button { font: inherit; font-weight: 600; padding: .65rem 1.1rem; border-radius: .6rem; border: 1px solid var(--accent); background: var(--paper); color: var(--accent); cursor: pointer }
button.main { width: 100%; background: var(--accent); color: #fff; padding: .8rem 1.1rem }
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

const digest = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`

/** This style and this script and nothing else, from anywhere; forms come back to us alone. */
export const paymentPolicy = [
  "default-src 'none'",
  `style-src ${digest(paymentStyle)}`,
  `script-src ${digest(paymentScript)}`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')
