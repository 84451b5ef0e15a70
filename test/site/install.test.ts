/** The commands by which the page of the clients installs them, run in an empty folder with the archives as they are packed. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { type Language, programs } from '../clients/packed-clients.ts'
import { blocksOf, type folders, readSource } from './pages.ts'

const packer = fileURLToPath(new URL('../../tools/pack-clients.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'ramal-install-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const installs = (name: (typeof folders)[number]) =>
  blocksOf(readSource(name, 'guides/clients'))
    .filter(({ info }) => info === 'sh install')
    .map(({ code }) => code)

/** A program that prints a name of what was installed. */
const uses = {
  typescript: {
    file: 'use.mjs',
    code: "import { Ramal } from '@ramal/client'\nconsole.log(Ramal.name)\n",
  },
  python: { file: 'use.py', code: 'from ramal import Ramal\nprint(Ramal.__name__)\n' },
  php: {
    file: 'use.php',
    code: "<?php\nrequire 'ramal/autoload.php';\necho (new ReflectionClass('Ramal\\\\Client'))->getNamespaceName(), PHP_EOL;\n",
  },
} as const

test('both languages install the clients by the same commands', () => {
  expect(installs('pt-BR')).toEqual(installs('en'))
  expect(installs('en')).toHaveLength(Object.keys(uses).length)
})

test('the READMEs of the clients begin with the installation, and name the archives of this version, as the page does', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const { version } = JSON.parse(read('package.json'))
  const archives: Record<Language, string> = {
    typescript: `ramal-client-${version}.tgz`,
    python: `ramal-${version}-py3-none-any.whl`,
    php: `ramal-client-${version}.zip`,
  }
  for (const [language, archive] of Object.entries(archives)) {
    const readme = read(`clients/${language}/README.md`)
    expect(readme.match(/^## .+$/m)?.[0]).toBe('## Install')
    for (const text of [readme, read('clients/README.md'), readSource('en', 'guides/clients')])
      expect(text).toContain(archive)
  }
})

/** By which a reader installs. */
const installers = {
  typescript: 'npm --version',
  python: 'python3 -m pip --version',
  php: 'php --version && command -v unzip',
}
const present = (['typescript', 'python', 'php'] as const)
  .map((language, index) => ({ language, index }))
  .filter(({ language }) => spawnSync('sh', ['-c', installers[language]]).status === 0)

test.each(present)(
  'the command for $language installs its client',
  { timeout: 180_000 },
  ({ language, index }) => {
    const clients = join(folder, `packed-${language}`)
    const packed = spawnSync(process.execPath, [packer, clients, language], { encoding: 'utf8' })
    expect(packed.status, packed.stderr).toBe(0)
    const home = mkdtempSync(join(folder, `home-${language}-`))
    // Nothing is fetched, and nothing is changed outside of the folder.
    const env = {
      ...process.env,
      clients,
      npm_config_offline: 'true',
      PIP_NO_INDEX: '1',
      PIP_TARGET: join(home, 'packages'),
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      PYTHONPATH: join(home, 'packages'),
    }
    const installed = spawnSync('sh', ['-c', installs('en')[index] ?? 'false'], {
      cwd: home,
      env,
      encoding: 'utf8',
    })
    expect(installed.status, installed.stderr).toBe(0)
    const { file, code } = uses[language]
    writeFileSync(join(home, file), code)
    const used = spawnSync(programs[language], [file], { cwd: home, env, encoding: 'utf8' })
    expect([used.status, used.stdout, used.stderr]).toEqual([0, 'Ramal\n', ''])
  },
)
