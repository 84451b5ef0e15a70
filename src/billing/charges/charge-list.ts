/** The charges of an account as a list that can be searched, newest first (D22). */
import { Charge, chargeStatuses, chargeType, paymentMethods } from '../../contract/money/charges.ts'
import { defineList } from '../../filter/list.ts'

export const chargeList = defineList({
  fields: {
    id: { kind: 'integer', column: 'charges.id' },
    organizationId: { kind: 'integer', column: 'charges.account_id' },
    userId: { kind: 'integer', column: 'charges.user_id' },
    gateway: { kind: 'text', column: 'charges.gateway' },
    // The only type there is.
    type: { kind: 'choice', choices: [chargeType], column: `('${chargeType}')` },
    paymentMethod: { kind: 'choice', choices: paymentMethods, column: 'charges.payment_method' },
    paymentId: { kind: 'text', column: 'charges.payment_id' },
    paymentCode: { kind: 'text', column: 'charges.payment_code', nullable: true },
    paymentLink: { kind: 'text', column: 'charges.payment_link', nullable: true },
    pixCode: { kind: 'text', column: 'charges.pix_code', nullable: true },
    invoiceLink: { kind: 'text', column: 'charges.invoice_link', nullable: true },
    invoiceId: { kind: 'text', column: 'charges.invoice_id', nullable: true },
    dueDate: { kind: 'instant', column: 'charges.due_at' },
    amount: { kind: 'decimal', scale: 2, column: 'charges.amount' },
    taxAmount: { kind: 'decimal', scale: 2, column: 'charges.fee', nullable: true },
    totalAmount: { kind: 'decimal', scale: 2, column: 'charges.total' },
    description: { kind: 'text', column: 'charges.description' },
    status: { kind: 'choice', choices: chargeStatuses, column: 'charges.status' },
    statusUpdatedAt: { kind: 'instant', column: 'charges.status_at' },
    createdAt: { kind: 'instant', column: 'charges.created_at' },
    paidAt: { kind: 'instant', column: 'charges.paid_at', nullable: true },
    receivedAt: { kind: 'instant', column: 'charges.received_at', nullable: true },
    refundedAt: { kind: 'instant', column: 'charges.refunded_at', nullable: true },
    hasErpInvoice: { kind: 'boolean', column: 'charges.has_erp_invoice' },
    metadata: { kind: 'json', column: 'charges.metadata' },
  },
  shows: Object.keys(Charge.properties),
  order: 'createdAt DESC',
  id: 'charges.id',
  example: { where: { status: { inq: ['CONFIRMED', 'RECEIVED'] } }, order: 'paidAt DESC', limit: 20 },
})
