/** What is often known at once and sometimes only later: waiting for nothing costs a turn of the event loop. */
export type Maybe<T> = T | Promise<T>

export function andThen<T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
