/** Plans the import of a file, line by line (D598). Pure. */
import { type ImportLine, maxNumbers } from '../../contract/accounts/contacts.ts'
import type { Contact, ContactFields } from '../contact.ts'
import type { FileLine } from './contact-file.ts'

export type ImportPlan = {
  lines: ImportLine[]
  creates: ContactFields[]
  updates: (ContactFields & { id: string })[]
}

/** `known`: the contacts that have one of the numbers. Of lines with the same number the first counts. */
export function planImport(file: readonly FileLine[], known: readonly Contact[]): ImportPlan {
  const owners = new Map(known.flatMap((contact) => contact.numbers.map((number) => [number, contact])))
  const seen = new Set<string>()
  const changed = new Set<string>()
  const plan: ImportPlan = { lines: [], creates: [], updates: [] }
  for (const one of file) {
    const line = actionOf(one)
    plan.lines.push(line)
    if (line.action !== 'refuse') for (const number of one.numbers) seen.add(number)
  }
  return plan

  function actionOf(one: FileLine): ImportLine {
    if (one.problem) return { ...one, action: 'refuse' }
    const repeated = one.numbers.find((number) => seen.has(number))
    if (repeated) return { ...one, action: 'refuse', problem: 'repeated-number', value: repeated }
    const [owner, other] = new Set(one.numbers.flatMap((number) => owners.get(number) ?? []))
    if (other) return { ...one, action: 'refuse', problem: 'numbers-of-two-contacts', value: other.name }
    const { name, company, numbers } = one
    if (!owner) {
      plan.creates.push({ name, company, numbers })
      return { ...one, action: 'create' }
    }
    return updateOf(one, owner)
  }

  function updateOf(one: FileLine, owner: Contact): ImportLine {
    // Two lines about one contact: the second would undo the first.
    if (changed.has(owner.id)) {
      return { ...one, action: 'refuse', problem: 'repeated-number', value: one.numbers[0] ?? '' }
    }
    const company = one.company || owner.company
    const numbers = [...new Set([...owner.numbers, ...one.numbers])]
    if (numbers.length > maxNumbers) return { ...one, action: 'refuse', problem: 'too-many-numbers' }
    changed.add(owner.id)
    const shown = { ...one, company, numbers }
    const isSame =
      owner.name === one.name && owner.company === company && owner.numbers.length === numbers.length
    if (isSame) return { ...shown, action: 'same' }
    plan.updates.push({ id: owner.id, name: one.name, company, numbers })
    return { ...shown, action: 'update' }
  }
}
