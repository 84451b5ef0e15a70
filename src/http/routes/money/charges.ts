/** Spec §4.2, charges. */

import { type Charge as ChargeRecord, isCancellable } from '../../../billing/charges/charge.ts'
import { chargeList } from '../../../billing/charges/charge-list.ts'
import type { Charges } from '../../../billing/charges/charges.ts'
import { refuse, refuseParameter } from '../../../contract/errors.ts'
import { Charge, chargeType, NewCharge, NewChargeAnswer } from '../../../contract/money/charges.ts'
import { listed, PageMeta } from '../../../contract/schema/common.ts'
import { Type } from '../../../contract/schema/type.ts'
import { readPagedList } from '../../../filter/list-query.ts'
import { pageMeta } from '../../../filter/page.ts'
import { pickFields } from '../../../filter/selection.ts'
import { parseExactJson } from '../../../kit/text/json-text.ts'
import { toReais } from '../../../kit/text/money.ts'
import { type AnyEntry, Download, entry } from '../../entry.ts'
import { type Exports, fileFormat, formatParameter } from '../../export.ts'
import { qrImage } from '../../pages/payment-pictures.ts'
import { pageParameters } from '../parameters.ts'

const tag = 'Charges'

type Deps = { charges: Charges; exports: Exports; strictPaging: boolean }

export function chargeRoutes({ charges, exports, strictPaging }: Deps): AnyEntry[] {
  return [
    entry({
      method: 'POST',
      path: '/charges',
      tag,
      about: 'Ask for a payment that becomes credit',
      may: 'charges.manage',
      scope: 'billing',
      limit: 'other',
      idempotent: true,
      body: NewCharge,
      reply: NewChargeAnswer,
      errors: ['CHARGE_OPEN', 'FINANCIAL_ACCOUNT_REQUIRED', 'PAYMENT_REFUSED', 'PAYMENT_GATEWAY_DOWN'],
      async run({ caller, body, jsonOf, begun, noteBegun, saveAnswer }) {
        const { paymentMethod: method, dueDate, amount, description = '' } = body
        const request = {
          method,
          dueDate,
          amount,
          description,
          metadata: parseExactJson(jsonOf('metadata') ?? '{}') as Record<string, unknown>,
        }
        return presentNew(
          await charges.create(caller, request, {
            begun,
            noteBegun,
            saveAnswer: (tx, made) => saveAnswer(tx, presentNew(made)),
          }),
        )
      },
    }),
    entry({
      method: 'GET',
      path: '/charges',
      tag,
      about: 'List the charges of the account, newest first',
      may: 'charges.manage',
      scope: 'billing',
      limit: 'other',
      query: { ...pageParameters(chargeList), format: formatParameter },
      reply: Type.Object({ data: Type.Array(listed(Charge)), meta: PageMeta }),
      errors: ['MISSING_REQUIRED_PARAMETER', 'EXPORT_RUNNING'],
      async run({ caller, query: { format, ...query }, headers }) {
        const { timeZone } = caller
        const file = fileFormat({ format }, headers)
        const asked = readPagedList(chargeList, query, { timeZone, strictPaging })
        const present = (charge: ChargeRecord) => pickFields(asked.fields, presentCharge(charge))
        if (file) {
          return await exports.answer(caller, {
            format: file,
            name: 'charges',
            columns: Object.keys(Charge.properties).filter((name) => asked.fields?.has(name) ?? true),
            pages: charges.listAll(caller, asked),
            write: (charge) => JSON.stringify(present(charge)),
            cells: present,
          })
        }
        const { rows, ...page } = await charges.list(caller, asked)
        return {
          data: rows.map(present),
          meta: pageMeta(asked, page),
        }
      },
    }),
    entry({
      method: 'GET',
      path: '/charges/:id',
      tag,
      about: 'Show one charge',
      may: 'charges.manage',
      scope: 'billing',
      limit: 'other',
      reply: Charge,
      errors: ['CHARGE_NOT_FOUND'],
      run: async ({ caller, params }) => presentCharge(await charges.find(caller, chargeId(params))),
    }),
    entry({
      method: 'GET',
      path: '/charges/:id/qrcode',
      tag,
      about: 'The PIX code of an open charge as a picture that a bank’s application reads',
      may: 'charges.manage',
      scope: 'billing',
      limit: 'other',
      query: { format: 'png, which is the default, or svg' },
      media: 'image/png',
      errors: ['CHARGE_NOT_FOUND', 'PIX_CODE_NOT_FOUND'],
      async run({ caller, params, query: { format = 'png' } }) {
        if (format !== 'png' && format !== 'svg') throw refuseParameter('format', formats)
        const { payment, status } = await charges.find(caller, chargeId(params))
        if (payment.pixCode === null || !isCancellable(status)) throw refuse('PIX_CODE_NOT_FOUND')
        const headers = {
          'Content-Type': format === 'png' ? 'image/png' : 'image/svg+xml; charset=utf-8',
          'Cache-Control': 'private, no-store',
        }
        return new Download(200, headers, qrImage(payment.pixCode, format))
      },
    }),
    entry({
      method: 'PATCH',
      path: '/charges/:id/cancel',
      tag,
      about: 'Cancel a charge that nobody has paid',
      may: 'charges.manage',
      scope: 'billing',
      limit: 'other',
      reply: Charge,
      errors: ['CHARGE_NOT_FOUND', 'CHARGE_NOT_CANCELLABLE', 'PAYMENT_GATEWAY_DOWN'],
      run: async ({ caller, params }) => presentCharge(await charges.cancel(caller, chargeId(params))),
    }),
  ]
}

const formats = { en: 'must be png or svg', pt: 'deve ser png ou svg' }

function chargeId({ id = '' }: Record<string, string>): number {
  if (!/^\d{1,15}$/.test(id)) throw refuse('CHARGE_NOT_FOUND')
  return Number(id)
}

function presentNew({ payment, money, times, ...charge }: ChargeRecord) {
  return {
    id: charge.id,
    userId: charge.userId,
    organizationId: charge.accountId,
    gateway: payment.gateway,
    type: chargeType,
    paymentMethod: payment.method,
    paymentId: payment.paymentId ?? '',
    paymentLink: payment.link ?? '',
    pixCode: payment.pixCode,
    dueDate: times.dueAt.toISOString(),
    amount: toReais(money.amount),
    totalAmount: toReais(money.total),
    description: charge.description,
    status: charge.status,
    statusUpdatedAt: times.statusAt.toISOString(),
    createdAt: times.createdAt.toISOString(),
    metadata: charge.metadata,
  } as const
}

export function presentCharge(charge: ChargeRecord) {
  const { payment, money, times } = charge
  return {
    ...presentNew(charge),
    paymentCode: payment.code,
    invoiceId: payment.invoiceId,
    invoiceLink: payment.invoiceLink,
    taxAmount: money.fee === null ? null : toReais(money.fee),
    paidAt: times.paidAt?.toISOString() ?? null,
    refundedAt: times.refundedAt?.toISOString() ?? null,
    receivedAt: times.receivedAt?.toISOString() ?? null,
    hasErpInvoice: charge.hasErpInvoice,
  }
}
