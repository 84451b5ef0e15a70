/** The numbers of an account, as a list with filters. */
import { defineList } from '../filter/list.ts'

export const numberList = defineList({
  fields: {
    id: { kind: 'integer', column: 'numbers.id' },
    number: { kind: 'text', column: 'numbers.number', phone: 'E.164' },
    createdAt: { kind: 'instant', column: 'numbers.created_at' },
  },
  shows: ['id', 'number', 'verified', 'proof', 'verifiedAt', 'lastCall', 'createdAt'],
  order: 'id',
  id: 'numbers.id',
  example: { where: { number: '+55 48 3333-4444' } },
})
