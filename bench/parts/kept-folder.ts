/** Inserting ten million calls takes a quarter of an hour: in BENCH_FOLDER they are kept for the next run. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder } from './service.ts'

type Steps<Filled, T> = {
  /** Name of the folder within BENCH_FOLDER. */
  name: string
  /** What it returns is kept as JSON. */
  fill: (folder: string) => Promise<Filled>
  work: (folder: string, filled: Filled) => Promise<T>
}

export async function inKeptFolder<Filled, T>({ name, fill, work }: Steps<Filled, T>): Promise<T> {
  const parent = process.env.BENCH_FOLDER
  if (parent === undefined) return await inFolder(async (folder) => work(folder, await fill(folder)))
  const folder = join(parent, name)
  mkdirSync(folder, { recursive: true })
  const record = join(folder, 'filled.json')
  if (!existsSync(record)) writeFileSync(record, JSON.stringify(await fill(folder)))
  return await work(folder, JSON.parse(readFileSync(record, 'utf8')) as Filled)
}
