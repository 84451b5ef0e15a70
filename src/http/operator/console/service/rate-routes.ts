/** Rates: listed, exported, tried with a number, previewed and imported (D622). */
import { priceOf } from '../../../../billing/tariff/rate.ts'
import type { StoredRate } from '../../../../billing/tariff/rate-changes.ts'
import type { FoundRate, ImportResult, RateImports } from '../../../../billing/tariff/rate-imports.ts'
import { problem, refuseFields } from '../../../../contract/errors.ts'
import {
  OperatorRateFound,
  OperatorRateImport,
  OperatorRatePlan,
  OperatorRatePreview,
  OperatorRateSheet,
  OperatorRates,
  OperatorRateTrial,
} from '../../../../contract/operator-rates.ts'
import { toReais } from '../../../../kit/text/money.ts'
import { readPhone } from '../../../../kit/text/phone.ts'
import { type AnyOperatorEntry, operatorEntry } from '../operator-entry.ts'
import { pageOf, readPagingOf } from '../paging.ts'
import { presentPlan, presentRate, presentTerms } from './present-rates.ts'

export type RateDeps = { rateImports: RateImports }

const defaultSeconds = 60

export function rateEntries({ rateImports }: RateDeps): AnyOperatorEntry[] {
  return [
    operatorEntry({
      method: 'GET',
      path: '/rates',
      about: 'List the rates that hold or will, of all decks',
      query: {
        search: {
          about:
            'A part of the domain or name; digits find the rates that may hold for a number, and those below',
          example: '5548',
        },
        page: { about: 'Which page, from 1', example: 1 },
      },
      reply: OperatorRates,
      async run({ query }) {
        const paging = readPagingOf(query)
        const found = (await rateImports.current()).filter(matches(paging.text))
        return pageOf(found.map(presentRate), paging)
      },
    }),
    operatorEntry({
      method: 'GET',
      path: '/rates/sheet',
      about: 'Export the rates as a sheet, whose import changes nothing',
      query: {
        separator: {
          about:
            '`semicolon` for semicolons and decimal commas, as Excel reads them in Brazil; otherwise commas and dots',
          example: 'semicolon',
        },
      },
      reply: OperatorRateSheet,
      run: async ({ query: { separator } }) => ({
        csv: await rateImports.exportSheet(separator === 'semicolon' ? ';' : ','),
      }),
    }),
    operatorEntry({
      method: 'POST',
      path: '/rates/trial',
      about: 'Find the rate of a number, now and after the import of a sheet',
      notes:
        'Nothing is changed. The deck of the account comes first, whatever the length of its prefixes; then the default deck.',
      body: OperatorRateTrial,
      reply: OperatorRateFound,
      async run({ body: { number: given, domain = '', seconds = defaultSeconds, csv, replace = false } }) {
        const number = readPhone(given)
        if (number === undefined) throw refuseFields('Rate', { number: [problem.noPhone] })
        const found = await rateImports.tryNumber({
          number,
          domain: domain.trim().toLowerCase(),
          sheet: csv === undefined ? undefined : { text: csv, replace },
        })
        if (!found) throw refuseFields('Rate', { domain: [noAccount] })
        const { current, planned } = found
        return {
          number,
          seconds,
          ...(current && { current: presentTried(current, seconds) }),
          ...(planned && { planned: presentTried(planned, seconds) }),
        }
      },
    }),
    operatorEntry({
      method: 'POST',
      path: '/rates/preview',
      about: 'Show what the import of a sheet would change',
      notes: 'Nothing is changed. Larger sheets are imported by `ramal rates import`.',
      body: OperatorRatePreview,
      reply: OperatorRatePlan,
      run: async ({ body: { csv, replace = false }, language }) =>
        presentPlan(await rateImports.importSheet(csv, { apply: false, replace }), language),
    }),
    operatorEntry({
      method: 'POST',
      path: '/rates/import',
      about: 'Import a sheet of rates that was previewed',
      notes:
        'All of it in one transaction, or nothing: with a line that cannot be used, or if the rates have changed since the preview, it is refused. Calls that began before keep their rate. In the log of the operator.',
      body: OperatorRateImport,
      reply: OperatorRatePlan,
      async run({ body: { csv, replace = false, plan: seen, reason }, language }) {
        const result = await rateImports.importSheet(csv, {
          apply: true,
          replace,
          reason: reason.trim(),
          seen,
        })
        refuseUnapplied(result)
        return presentPlan(result, language)
      },
    }),
  ]
}

function refuseUnapplied({ outcome }: ImportResult) {
  if (outcome === 'refused') throw refuseFields('Rate', { csv: [unusable] })
  if (outcome === 'outdated') throw refuseFields('Rate', { plan: [outdated] })
}

function matches(text: string) {
  const wanted = text.toLowerCase()
  const has = (value: string) => value.toLowerCase().includes(wanted)
  return ({ domain, prefix, name }: StoredRate) => has(domain) || has(name) || isPrefixOf(prefix, text)
}

/** `5548` finds the rates of 55 and 554899: those that may hold for a number, and those below. */
const isPrefixOf = (prefix: string, text: string) =>
  /^\+?\d+$/.test(text) &&
  (prefix.startsWith(text.replace('+', '')) || text.replace('+', '').startsWith(prefix))

const presentTried = ({ rate, isOwn }: FoundRate, seconds: number) => ({
  ownDeck: isOwn,
  prefix: rate.prefix,
  ...presentTerms(rate),
  price: toReais(priceOf(rate, seconds)),
})

const noAccount = { code: 'inclusion', message: { en: 'has no account', pt: 'não tem conta' } }
const unusable = {
  code: 'format',
  message: {
    en: 'has lines that cannot be used, which the preview lists; nothing was changed',
    pt: 'tem linhas que não podem ser usadas, listadas na prévia; nada foi alterado',
  },
}
const outdated = {
  code: 'exclusion',
  message: {
    en: 'is of a preview whose rates have changed since: preview the sheet again; nothing was changed',
    pt: 'é de uma prévia cujas tarifas já mudaram: veja a prévia outra vez; nada foi alterado',
  },
}
