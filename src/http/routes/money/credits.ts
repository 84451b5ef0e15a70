/** Credit of the account: the balance and the statement (D42). */

import { availableOf, type Ledger } from '../../../billing/ledger/ledger.ts'
import { statementLineIn } from '../../../billing/ledger/statement-lines.ts'
import { statementList } from '../../../billing/ledger/statement-list.ts'
import type { Tariff } from '../../../billing/tariff/tariff.ts'
import { problem, refuse, refuseParameter } from '../../../contract/errors.ts'
import { Balance, RateOfCall, StatementEntry } from '../../../contract/money/credits.ts'
import { listed, PageMeta } from '../../../contract/schema/common.ts'
import { Type } from '../../../contract/schema/type.ts'
import { readPagedList } from '../../../filter/list-query.ts'
import { pageMeta } from '../../../filter/page.ts'
import { pickFields } from '../../../filter/selection.ts'
import type { Language, Translated } from '../../../kit/text/language.ts'
import { minutePriceToReais, toReais } from '../../../kit/text/money.ts'
import { readDialledPhone } from '../../../kit/text/phone.ts'
import { type AnyEntry, entry } from '../../entry.ts'
import { type Exports, fileFormat, formatParameter } from '../../export.ts'
import { readDialect, type SheetColumn, sheetParameter } from '../../spreadsheet.ts'
import { pageParameters } from '../parameters.ts'

const tag = 'Credits'
const toRequired = {
  en: 'to is required: the number that would be called, as in /rates?to=5548999998888.',
  pt: 'to é obrigatório: o número para o qual se ligaria, como em /rates?to=5548999998888.',
}

type Deps = { ledger: Ledger; tariff: Tariff; exports: Exports; strictPaging: boolean }

export function creditRoutes({ ledger, tariff, exports, strictPaging }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/credits/balance',
      tag,
      about: 'Show the credit of the account',
      may: 'credits.read',
      scope: 'billing',
      limit: 'other',
      reply: Balance,
      run: async ({ caller }) => presentBalance(await ledger.balance(caller)),
    }),
    entry({
      method: 'GET',
      path: '/rates',
      tag,
      about: 'What a call to a number costs',
      may: 'calls.place',
      scope: ['calls:place', 'billing'],
      limit: 'other',
      query: { to: { about: 'The number, as it is dialled', example: '5548999998888', required: true } },
      reply: RateOfCall,
      errors: ['MISSING_REQUIRED_PARAMETER', 'RATE_NOT_FOUND'],
      // D306: an internal call is free, and has no rate.
      async run({ caller, query: { to } }) {
        if (to === undefined) throw refuse('MISSING_REQUIRED_PARAMETER', { message: toRequired })
        const number = typeof to === 'string' ? readDialledPhone(to)?.number : undefined
        if (number === undefined) throw refuseParameter('to', problem.noPhone.message)
        const rate = tariff.rateOf(caller.accountId, number)
        if (!rate) throw refuse('RATE_NOT_FOUND')
        const { name, prefix, minutePrice, firstBlock, step, grace } = rate
        const price = { minute_price: minutePriceToReais(minutePrice), currency: 'BRL' as const }
        return { to: number, name, prefix, firstBlock, step, grace, ...price }
      },
    }),
    entry({
      method: 'GET',
      path: '/credits/statement',
      tag,
      about: 'List what came into the account and what went, newest first',
      may: 'credits.read',
      scope: 'billing',
      limit: 'other',
      query: { ...pageParameters(statementList), format: formatParameter, sheet: sheetParameter },
      reply: Type.Object({ data: Type.Array(listed(StatementEntry)), meta: PageMeta }),
      errors: ['MISSING_REQUIRED_PARAMETER', 'EXPORT_RUNNING'],
      translated: true,
      async run({ caller, query: { format, sheet, ...query }, headers, language: preferred }) {
        const { timeZone } = caller
        const file = fileFormat({ format }, headers)
        const dialect = readDialect(sheet, timeZone, statementSheet)
        const language = sheet === 'pt' || sheet === 'en' ? sheet : preferred
        const asked = readPagedList(statementList, query, { timeZone, strictPaging })
        const present = (row: Entry) => pickFields(asked.fields, presentEntry(row, language))
        if (file) {
          return await exports.answer(caller, {
            format: file,
            name: 'statement',
            columns: Object.keys(StatementEntry.properties).filter((name) => asked.fields?.has(name) ?? true),
            dialect,
            pages: ledger.wholeStatement(caller, asked),
            write: (row) => JSON.stringify(present(row)),
            cells: present,
          })
        }
        const { rows, ...page } = await ledger.statement(caller, asked)
        return { data: rows.map(present), meta: pageMeta(asked, page) }
      },
    }),
  ]
}

const kindWords: Record<Entry['kind'], Translated<string>> = {
  trial: { pt: 'Crédito de teste', en: 'Trial credit' },
  charge: { pt: 'Recarga', en: 'Top-up' },
  refund: { pt: 'Reembolso', en: 'Refund' },
  call: { pt: 'Chamada', en: 'Call' },
  adjustment: { pt: 'Ajuste', en: 'Adjustment' },
}

/** D615: in a spreadsheet. */
const statementSheet: Record<string, SheetColumn> = {
  id: { name: { pt: 'Identificador', en: 'Identifier' } },
  at: { name: { pt: 'Quando', en: 'When' }, kind: 'instant' },
  kind: { name: { pt: 'Tipo', en: 'Kind' }, words: kindWords },
  amount: { name: { pt: 'Valor', en: 'Amount' } },
  balance: { name: { pt: 'Saldo', en: 'Balance' } },
  reference: { name: { pt: 'Referência', en: 'Reference' } },
  description: { name: { pt: 'Descrição', en: 'Description' } },
}

type Entry = Awaited<ReturnType<Ledger['statement']>>['rows'][number]

function presentEntry(row: Entry, language: Language) {
  return {
    ...row,
    at: row.at.toISOString(),
    amount: toReais(row.amount),
    balance: toReais(row.balance),
    description: statementLineIn(language, row.kind, row.description),
  }
}

export function presentBalance(found: Awaited<ReturnType<Ledger['balance']>>) {
  return {
    balance: toReais(found.balance),
    reserved: toReais(found.reserved),
    available: toReais(availableOf(found)),
    currency: 'BRL' as const,
  }
}
