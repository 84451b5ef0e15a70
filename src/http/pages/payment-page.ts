/** The payment page of the sandbox gateway, for the payer: plain forms and links, no cookie, nothing from elsewhere. */
import type { Language } from '../../kit/text/language.ts'
import { toReais } from '../../kit/text/money.ts'
import { printedLine } from '../../payments/codes/bank-slip.ts'
import type { PaymentStatus } from '../../payments/port.ts'
import { type CardField, type CardForm, type CardProblem, testCards } from '../../payments/sandbox/cards.ts'
import { codesOf } from '../../payments/sandbox/codes.ts'
import {
  actionsFor,
  isPayable,
  methodsOf,
  type PayableMethod,
  type SandboxPayment,
} from '../../payments/sandbox/payment.ts'
import { escapeHtml } from './html.ts'
import { logo } from './look.ts'
import { paymentScript, paymentStyle } from './payment-look.ts'
import { barPicture, qrPicture } from './payment-pictures.ts'
import { paymentWords, type Trouble } from './payment-words.ts'

export type Shown = {
  language: Language
  /** The one chosen among those it may be paid with. */
  method?: PayableMethod | undefined
  trouble?: Trouble | undefined
  problems?: Map<CardField, CardProblem>
  /** What was typed, but for number and code. */
  typed?: Pick<CardForm, 'holder' | 'expiry'>
}

const mood: Partial<Record<PaymentStatus, string>> = {
  PENDING: 'wait',
  AWAITING_RISK_ANALYSIS: 'wait',
  AUTHORIZED: 'wait',
  CONFIRMED: 'good',
  RECEIVED: 'good',
  OVERDUE: 'bad',
  CHARGEBACK_REQUESTED: 'bad',
  CHARGEBACK_DISPUTE: 'bad',
}
/** Those that a minute changes. */
const passing: PaymentStatus[] = [
  'AWAITING_RISK_ANALYSIS',
  'REFUND_REQUESTED',
  'AWAITING_CHARGEBACK_REVERSAL',
]

export async function paymentPage(payment: SandboxPayment, shown: Shown): Promise<string> {
  const words = paymentWords[shown.language]
  const { status, amount, description, dueDate, payerName, paidWith, card, id } = payment
  const state = words.states[status]
  const money = new Intl.NumberFormat(words.locale, { style: 'currency', currency: 'BRL' })
  const date = new Intl.DateTimeFormat(words.locale, { dateStyle: 'long', timeZone: 'UTC' })
  const facts: [string, string | null][] = [
    [words.due, date.format(new Date(dueDate))],
    [words.payer, payerName],
    [words.number, String(id).padStart(8, '0')],
    [words.title, paidWith && words.paidWith(words.methods[paidWith], card?.lastFour)],
  ]
  const list = facts.map(([name, fact]) => (fact ? `<dt>${name}</dt><dd>${escapeHtml(fact)}</dd>` : ''))
  const news = state.about
    ? `<section class="news ${mood[status] ?? 'calm'}"><p>${state.about}</p></section>`
    : ''
  return wrap(
    payment.key,
    shown,
    `<section><div class="head"><h1>${money.format(toReais(amount))}</h1><span class="state ${mood[status] ?? 'calm'}">${state.name}</span></div>
${description ? `<p>${escapeHtml(description)}</p>` : ''}<dl>${list.join('')}</dl></section>
${news}${isPayable(payment) ? await paying(payment, shown) : ''}${playing(payment, shown)}`,
    passing.includes(status) && !shown.trouble,
  )
}

/** Nothing to show but what is wrong. */
export function paymentTroublePage(trouble: Trouble, language: Language): string {
  return wrap(undefined, { language, trouble }, '', false)
}

function wrap(key: string | undefined, { language, method, trouble }: Shown, body: string, again: boolean) {
  const words = paymentWords[language]
  const kept = method ? `&amp;method=${method}` : ''
  const link = (to: Language, name: string) =>
    `<a href="?lang=${to}${kept}" hreflang="${to}" lang="${to}"${to === language ? ' aria-current="true"' : ''}>${name}</a>`
  const alert = trouble ? `<p role="alert">${words.troubles[trouble]}</p>` : ''
  return `<!doctype html>
<html lang="${words.locale}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${again ? '<meta http-equiv="refresh" content="5">' : ''}
<title>${words.title} · Ramal</title>
<style>${paymentStyle}</style>
<header class="bar"><strong>${logo}Ramal</strong><span class="tag">${words.sandbox}</span>${key ? `<nav>${link('pt', 'Português')}${link('en', 'English')}</nav>` : ''}</header>
<main>${alert}${body}</main>
<script>${paymentScript}</script>
</html>
`
}

async function paying(payment: SandboxPayment, shown: Shown): Promise<string> {
  const words = paymentWords[shown.language]
  const methods = methodsOf(payment)
  const chosen = shown.method && methods.includes(shown.method) ? shown.method : methods[0]
  if (!chosen) return ''
  const tabs = methods.map(
    (method) =>
      `<a href="?lang=${shown.language}&amp;method=${method}"${method === chosen ? ' aria-current="true"' : ''}>${words.methods[method]}</a>`,
  )
  const panel = chosen === 'PIX' ? await pix(payment, shown) : chosen === 'BOLETO' ? slip(payment, shown) : ''
  const fields = panel === '' ? cardFields(shown) : ''
  const pay = form(
    shown,
    { do: 'pay', method: chosen },
    `${fields}<button class="main">${words.pay[chosen]}</button>`,
  )
  return `<section>${methods.length > 1 ? `<nav class="tabs">${tabs.join('')}</nav>` : `<h2>${words.methods[chosen]}</h2>`}
${panel}${pay}${fields && cardTable(shown)}</section>`
}

async function pix(payment: SandboxPayment, { language }: Shown): Promise<string> {
  const words = paymentWords[language]
  const code = codesOf(payment).pix ?? ''
  const steps = words.pixSteps.map((step) => `<li>${step}</li>`).join('')
  const picture = await qrPicture(code, words.pixPicture)
  return `<div class="pix">${picture}<div><ol>${steps}</ol>${copyable('pix', words.pixCode, code, 6, language)}</div></div>`
}

function slip(payment: SandboxPayment, { language }: Shown): string {
  const words = paymentWords[language]
  const { barCode = '', line = '' } = codesOf(payment).slip ?? {}
  return `<p>${words.slipAbout}</p>${barPicture(barCode, words.slipPicture)}${copyable('line', words.slipLine, printedLine(line), 2, language)}`
}

function copyable(id: string, label: string, code: string, rows: number, language: Language): string {
  const { copy, copied } = paymentWords[language]
  return `<div class="code"><textarea id="${id}" aria-label="${label}" rows="${rows}" readonly>${escapeHtml(code)}</textarea><button type="button" hidden data-copies="${id}" data-done="${copied}">${copy}</button></div>`
}

function cardFields({ language, problems, typed }: Shown): string {
  const words = paymentWords[language]
  const field = (name: CardField, attributes: string, value = '') => {
    const problem = problems?.get(name)
    const invalid = problem ? ` aria-invalid="true" aria-describedby="${name}-problem"` : ''
    const message = problem
      ? `<span class="problem" id="${name}-problem">${words.problems[problem]}</span>`
      : ''
    return `<label>${words.fields[name]}<input name="${name}" value="${escapeHtml(value)}" required ${attributes}${invalid}>${message}</label>`
  }
  return `${field('holder', 'autocomplete="cc-name" maxlength="80"', typed?.holder)}
${field('number', 'autocomplete="off" inputmode="numeric" maxlength="23" placeholder="4111 1111 1111 1111"')}
<div class="two">${field('expiry', 'autocomplete="off" maxlength="7" placeholder="12/30"', typed?.expiry)}
${field('cvv', 'autocomplete="off" inputmode="numeric" maxlength="4" placeholder="123"')}</div>`
}

function cardTable({ language, problems }: Shown): string {
  const words = paymentWords[language]
  const rows = testCards.map(
    ({ number, fate }) =>
      `<tr><td>${number.replace(/(.{4})(?=.)/g, '$1 ')}</td><td>${words.fates[fate]}</td></tr>`,
  )
  return `<details${problems ? ' open' : ''}><summary>${words.testCards}</summary><table>${rows.join('')}</table><p class="faint">${words.testCardsAbout}</p></details>`
}

/** Buttons that a real gateway does not have: the person who tries the sandbox decides what happens. */
function playing(payment: SandboxPayment, shown: Shown): string {
  const words = paymentWords[shown.language]
  const actions = actionsFor(payment).map((action) =>
    form(shown, { do: action }, `<button>${words.actions[action]}</button>`),
  )
  if (actions.length === 0) return ''
  return `<section class="play"><h2>${words.play}</h2><p class="faint">${words.playAbout}</p><div class="actions">${actions.join('')}</div></section>`
}

function form({ language }: Shown, hidden: Record<string, string>, body: string): string {
  const fields = Object.entries({ ...hidden, lang: language }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  )
  return `<form method="post">${fields.join('')}${body}</form>`
}
