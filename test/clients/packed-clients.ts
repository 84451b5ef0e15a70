/** The clients as packages, each installed in a folder that was empty, and programs that run there. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

export type Language = 'typescript' | 'python' | 'php'
export const languages: Language[] = ['typescript', 'python', 'php']
/** Interpreter of each. */
export const programs = { typescript: 'node', python: 'python3', php: 'php' }
const suffix = { typescript: 'mjs', python: 'py', php: 'php' }

export type InstalledClient = Awaited<ReturnType<typeof installClient>>

/** Packs the client and installs the package in an empty folder. `program` runs programs that use it. */
export async function installClient(language: Language, program = programs[language]) {
  const folder = mkdtempSync(join(tmpdir(), `ramal-${language}-`))
  const packages = join(folder, 'packed')
  await run(process.execPath, [join(root, 'tools/pack-clients.ts'), packages, language])
  const [name = ''] = readdirSync(packages)
  const packed = join(packages, name)
  const home = join(folder, 'home')
  mkdirSync(home)
  await installers[language](packed, home)

  async function runProgram(source: string, input = '', env: Record<string, string> = {}) {
    const file = `program.${suffix[language]}`
    writeFileSync(join(home, file), source)
    return await runFile(file, input, env)
  }

  async function runFile(file: string, input: string, env: Record<string, string> = {}) {
    const child = spawn(program, [file], {
      cwd: home,
      env: { PATH: process.env.PATH ?? '', PYTHONPATH: 'packages', PYTHONDONTWRITEBYTECODE: '1', ...env },
    })
    child.stdin.end(input)
    const [[code], output, errors] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
    ])
    if (code !== 0) throw new Error(`${program} ${file} ended with ${code}:\n${errors}${output}`)
    return output
  }

  return {
    packed,
    home,
    runProgram,
    /** A program of test/clients. */
    async runDriver(path: string, input: string, env: Record<string, string> = {}) {
      const file = `${path.split('/').at(-1)}.${suffix[language]}`
      cpSync(fileURLToPath(new URL(`${path}.${suffix[language]}`, import.meta.url)), join(home, file))
      return await runFile(file, input, env)
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

const installers: Record<Language, (packed: string, home: string) => Promise<unknown>> = {
  async typescript(packed, home) {
    writeFileSync(join(home, 'package.json'), '{ "private": true }')
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed], { cwd: home })
  },
  /** As pip does with a package of Python alone: unpacked where Python looks. */
  async python(packed, home) {
    await run('python3', ['-m', 'zipfile', '-e', packed, 'packages'], { cwd: home })
  },
  /** As Composer does: below vendor/, with its autoloader, which follows the map in composer.json. */
  async php(packed, home) {
    const unpacked = join(home, 'unpacked')
    await run('python3', ['-m', 'zipfile', '-e', packed, unpacked])
    // A single folder at the top is taken off.
    const [top = '', ...others] = readdirSync(unpacked)
    if (top !== 'ramal' || others.length > 0) throw new Error(`${packed} has ${[top, ...others]} at its top.`)
    mkdirSync(join(home, 'vendor/ramal'), { recursive: true })
    renameSync(join(unpacked, top), join(home, 'vendor/ramal/client'))
    writeFileSync(join(home, 'vendor/autoload.php'), composerAutoloader)
  },
}

const composerAutoloader = `<?php
$map = json_decode(file_get_contents(__DIR__ . '/ramal/client/composer.json'), true)['autoload']['psr-4'];
spl_autoload_register(function (string $class) use ($map): void {
    foreach ($map as $prefix => $folder) {
        if (str_starts_with($class, $prefix)) {
            $name = str_replace('\\\\', '/', substr($class, strlen($prefix)));
            require __DIR__ . "/ramal/client/$folder$name.php";
        }
    }
});
`
