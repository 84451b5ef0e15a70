/**
 * The properties that have a value. With `exactOptionalPropertyTypes` an optional property is left out rather than
 * undefined: `{ number, ...defined({ name }) }`.
 */
export function defined<T extends object>(properties: T): Defined<T> {
  const entries = Object.entries(properties).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Defined<T>
}

type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}
