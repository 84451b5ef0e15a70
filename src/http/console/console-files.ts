/** The built files of the console, read into memory: each as it is, and compressed as the build left it. */
import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'

export type ConsoleFile = {
  type: string
  etag: string
  /** Files whose names hold the hash of their content never change. */
  immutable: boolean
  plain: Buffer
  br: Buffer | undefined
  gzip: Buffer | undefined
}

/** By the path below `/console/`. */
export type ConsoleFiles = Map<string, ConsoleFile>

export const indexFile = 'index.html'
const hashedFolder = 'assets/'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.wav': 'audio/wav',
}

export async function readConsoleFiles(folder: string): Promise<ConsoleFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const contents = new Map<string, Buffer>()
  for (const path of paths) contents.set(relative(folder, path).split(sep).join('/'), await readFile(path))
  if (!contents.has(indexFile)) throw new Error(`${folder} has no ${indexFile}: remove the folder`)
  const files: ConsoleFiles = new Map()
  for (const [name, plain] of contents) {
    const type = types[extname(name)]
    if (type === undefined) continue
    files.set(name, {
      type,
      etag: `"${hash('sha256', plain).slice(0, 16)}"`,
      immutable: name.startsWith(hashedFolder),
      plain,
      br: contents.get(`${name}.br`),
      gzip: contents.get(`${name}.gz`),
    })
  }
  return files
}
