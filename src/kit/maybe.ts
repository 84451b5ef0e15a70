/** A value that is often available synchronously: awaiting it would cost a turn of the event loop each time. */
export type Maybe<T> = T | Promise<T>

export function andThen<T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
