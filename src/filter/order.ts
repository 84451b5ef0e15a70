/** `filter.order`: "f DESC", a comma list, or an array of them (D24). */
import { refuseParameter } from '../contract/errors.ts'
import type { Fields } from './fields.ts'
import { limits } from './limits.ts'
import { orderTexts, tooManyOrderFields } from './texts.ts'
import { below } from './where/raw.ts'
import { findTarget, type Target } from './where/target.ts'

export type Order = { target: Target; descending: boolean }

export function readOrder(fields: Fields, raw: unknown, path: string): Order[] {
  const items = Array.isArray(raw) ? raw : [raw]
  const keys = items.flatMap((item: unknown) => {
    if (typeof item !== 'string') throw refuseParameter(path, orderTexts.noText)
    return item.split(',')
  })
  if (keys.length > limits.orderKeys) {
    throw refuseParameter(path, tooManyOrderFields(limits.orderKeys))
  }
  const order = keys.map((key) => readKey(fields, key, path))
  const columns = order.map(({ target }) => JSON.stringify([target.field.column, ...target.keys]))
  if (new Set(columns).size < columns.length) throw refuseParameter(path, orderTexts.fieldTwice)
  return order
}

function readKey(fields: Fields, key: string, path: string): Order {
  const [name = '', direction = 'ASC', ...rest] = key.trim().split(/\s+/)
  if (name === '') throw refuseParameter(path, orderTexts.noField)
  if (rest.length > 0 || !/^(?:asc|desc)$/i.test(direction)) {
    throw refuseParameter(below(path, name), orderTexts.noDirection)
  }
  const target = findTarget(fields, name, below(path, name))
  if (target.field.through) throw refuseParameter(below(path, name), orderTexts.notSortable)
  return {
    target,
    descending: direction.toUpperCase() === 'DESC',
  }
}
