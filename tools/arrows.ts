/** Checks that imports go down the house, never up, and that nothing is imported in a circle. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** From the roof to the ground; a room may import from itself and from those after it. */
const rooms = [
  'main',
  'cli',
  'app',
  'config',
  'http',
  'calls',
  'voice',
  'webhooks',
  'integrations',
  'billing',
  'extensions',
  'accounts',
  'users',
  'engine',
  'payments',
  'mail',
  'recordings',
  'store',
  'filter',
  'contract',
  'kit',
]
/** The same inside a folder: its subfolders from top to bottom. Files directly in the folder are below all of them. */
const layers: Record<string, string[]> = {
  'engine/sip': [
    'user-agent',
    'dialog',
    'transaction',
    'transport',
    'parser',
    'digest',
    'headers',
    'message',
    'sdp',
    'uri',
    'syntax',
  ],
}
/** Packages that belong to one room or two, so that the others stay free of them. */
const packages: Record<string, string[]> = {
  fastify: ['http'],
  helmet: ['http'],
  '@fastify/swagger': ['http'],
  '@fastify/swagger-ui': ['http'],
  pg: ['store'],
  ioredis: ['http', 'cli'],
  nodemailer: ['mail'],
  '@node-rs/argon2': ['users'],
  pino: ['kit'],
  ws: ['engine'],
  undici: ['webhooks', 'payments'],
  qrcode: ['http'],
}

const root = fileURLToPath(new URL('../src/', import.meta.url))
const complaints: string[] = []
const imports = new Map<string, string[]>()
const explored = new Set<string>()

for (const file of globSync('**/*.ts', { cwd: root })) {
  const targets = importsOf(file)
  imports.set(
    file,
    targets.filter((target) => target.endsWith('.ts')),
  )
  // A test may use what helps it.
  if (!/\.test\.ts$|testing/.test(file)) for (const target of targets) check(file, target)
}
for (const file of imports.keys()) findCircle(file, [])

for (const complaint of new Set(complaints)) process.stderr.write(`${complaint}\n`)
process.exitCode = complaints.length > 0 ? 1 : 0

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = text.matchAll(
    /(?:^|\n)(?:import|export)[^'"\n]*?(?:\{[^}]*\}[^'"\n]*)?from '([^']+)'|import\('([^']+)'\)/g,
  )
  return [...found].map(([, named, loaded]) => {
    const target = named ?? loaded ?? ''
    return target.startsWith('.') ? relative(root, join(root, dirname(file), target)) : target
  })
}

function roomOf(file: string): string {
  return file.split('/')[0]?.replace(/\.ts$/, '') ?? file
}

function check(file: string, target: string) {
  const from = rooms.indexOf(roomOf(file))
  if (from < 0) complaints.push(`${file}: its room is not in the house (tools/arrows.ts)`)
  if (!target.endsWith('.ts')) {
    const allowed = packages[target]
    if (allowed && !allowed.includes(roomOf(file)))
      complaints.push(`${file}: ${target} belongs to ${allowed.join(', ')}`)
  } else if (rooms.indexOf(roomOf(target)) < from) {
    complaints.push(`${file} imports ${target}, which is above it`)
  }
  for (const folder of Object.keys(layers)) checkLayers(folder, file, target)
}

function checkLayers(folder: string, file: string, target: string) {
  if (!file.startsWith(`${folder}/`) || !target.startsWith(`${folder}/`)) return
  const [from, to] = [layerOf(folder, file), layerOf(folder, target)]
  if (from < 0) complaints.push(`${file}: its folder is not in the layers of ${folder} (tools/arrows.ts)`)
  if (to < from) complaints.push(`${file} imports ${target}, which is in a layer above it`)
}

function layerOf(folder: string, file: string): number {
  const order = layers[folder] ?? []
  const [subfolder = '', ...inside] = file.slice(folder.length + 1).split('/')
  return inside.length === 0 ? order.length : order.indexOf(subfolder)
}

function findCircle(file: string, path: string[]) {
  const at = path.indexOf(file)
  if (at >= 0) complaints.push(`circle: ${[...path.slice(at), file].join(' > ')}`)
  if (at >= 0 || explored.has(file)) return
  for (const target of imports.get(file) ?? []) findCircle(target, [...path, file])
  explored.add(file)
}
