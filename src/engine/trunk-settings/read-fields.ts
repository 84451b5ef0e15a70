/** Reads the fields of a JSON object that an operator wrote, and describes in words what is wrong with one. */

/** Continues the name of a setting: "TRUNKS" + "must be …". It never repeats a value, which may be a secret. */
export class TrunksRefusal extends Error {
  override readonly name = 'TrunksRefusal'
  /** The field that is wrong, if it is one. */
  readonly field: string | undefined

  constructor(message: string, { field, ...options }: ErrorOptions & { field?: string } = {}) {
    super(message, options)
    this.field = field
  }
}

/** The value, or what it must be. */
export type FieldReader<T> = (value: unknown) => { value: T } | { must: string }

type Field<T> = { read: FieldReader<T>; fallback?: T }

export const required = <T>(read: FieldReader<T>): Field<T> => ({ read })
export const optional = <T>(read: FieldReader<T>, fallback: T): Field<T> => ({ read, fallback })

type Values<Fields> = { [K in keyof Fields]: Fields[K] extends Field<infer T> ? T : never }

/** `who` names the object in a refusal. */
export function readFields<Fields extends Record<string, Field<unknown>>>(
  given: object,
  fields: Fields,
  who: string,
): Values<Fields> {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(fields, name)) {
      throw new TrunksRefusal(
        `has ${who} with an unknown field; those known are ${Object.keys(fields).join(', ')}`,
      )
    }
  }
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const value: unknown = Object.entries(given).find(([key]) => key === name)?.[1]
    if (value === undefined || value === null) {
      if (!('fallback' in field)) throw new TrunksRefusal(`has ${who} without ${name}`, { field: name })
      values[name] = field.fallback
      continue
    }
    const read = field.read(value)
    if ('must' in read) {
      throw new TrunksRefusal(`has ${who} whose ${name} must be ${read.must}`, { field: name })
    }
    values[name] = read.value
  }
  return values as Values<Fields>
}

export const whole =
  (min: number, max: number): FieldReader<number> =>
  (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max
      ? { value: Number(value) }
      : { must: `a whole number from ${min} to ${max}` }

export const yesNo: FieldReader<boolean> = (value) =>
  typeof value === 'boolean' ? { value } : { must: 'true or false' }

export const matching =
  (shape: RegExp, must: string): FieldReader<string> =>
  (value) =>
    typeof value === 'string' && shape.test(value) ? { value } : { must }

export function oneOf<const T extends string>(...choices: readonly T[]): FieldReader<T> {
  return (value) => {
    const found = choices.find((choice) => choice === value)
    return found === undefined ? { must: `one of ${choices.join(', ')}` } : { value: found }
  }
}

const maxItems = 256

export const listOf =
  <T>(read: FieldReader<T>, must: string): FieldReader<T[]> =>
  (value) => {
    if (!Array.isArray(value) || value.length > maxItems) return { must }
    const items: T[] = []
    for (const item of value) {
      const one = read(item)
      if ('must' in one) return { must }
      items.push(one.value)
    }
    return { value: items }
  }
