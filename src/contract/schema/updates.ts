/** D575: what was changed since a cursor. */
import { type TObject, Type } from './type.ts'

const following = {
  cursor: Type.String({
    description: 'The value of cursor for the next request; keep it once you have stored the records',
    examples: ['2026-11-15T12:30:00.000000Z_4711'],
  }),
  more: Type.Boolean({ description: 'Whether there are more changes already', examples: [false] }),
}

const description = 'Changed records as they are now, in the order of their last change'

export function updatesOf<T extends TObject>(record: T, $id: string) {
  return Type.Object({ data: Type.Array(record), ...following }, { $id, description })
}

export function updatesWithRemoved<T extends TObject>(record: T, $id: string) {
  const removed = Type.Array(Type.Integer(), {
    description: 'Ids of records that were removed',
    examples: [[]],
  })
  return Type.Object({ data: Type.Array(record), removed, ...following }, { $id, description })
}
