/** D553: makes copies of the sources with bugs in them. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bug } from './bug.ts'
import { callBugs } from './bugs/calls.ts'
import { eventBugs } from './bugs/events.ts'
import { moneyBugs } from './bugs/money.ts'
import { phoneBugs } from './bugs/phones.ts'

export const bugs: Bug[] = [...callBugs, ...moneyBugs, ...eventBugs, ...phoneBugs]

const root = fileURLToPath(new URL('../../', import.meta.url))
/** All that a run needs. */
const copied = ['src', 'proof', 'bench/parts', 'test/helpers', 'console', 'clients', 'package.json']

/** The patched text of the bug's file; throws unless the patch fits in exactly one place. */
export function patched({ name, file, search, replace }: Bug, folder = root): string {
  const text = readFileSync(join(folder, file), 'utf8')
  const places = text.split(search).length - 1
  if (places !== 1) throw new Error(`${name}: its text occurs ${places} times in ${file}`)
  return text.replace(search, () => replace)
}

export function plant(planted: readonly Bug[], folder: string) {
  mkdirSync(folder, { recursive: true })
  for (const path of copied) cpSync(join(root, path), join(folder, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const bug of planted) writeFileSync(join(folder, bug.file), patched(bug, folder))
}
