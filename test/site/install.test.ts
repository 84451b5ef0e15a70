/** The commands by which the page of the clients installs them, run in an empty folder with the archives as they are packed. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { type Language, programs } from '../clients/packed-clients.ts'
import { programMissing } from '../helpers/programs/programs.ts'
import { blocksOf, type folders, readSource } from './pages.ts'

const packer = fileURLToPath(new URL('../../tools/pack-clients.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'ramal-install-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const installs = (name: (typeof folders)[number]) =>
  blocksOf(readSource(name, 'guides/clients'))
    .filter(({ info }) => info === 'sh install')
    .map(({ code }) => code)

const phpProgram = (autoloader: string) =>
  `<?php\nrequire '${autoloader}';\necho (new ReflectionClass('Ramal\\\\Client'))->getNamespaceName(), PHP_EOL;\n`

/** In the order of the page: a program that prints a name of what was installed. */
const uses = {
  typescript: {
    file: 'use.mjs',
    code: "import { Ramal } from '@ramal/client'\nconsole.log(Ramal.name)\n",
  },
  python: { file: 'use.py', code: 'from ramal import Ramal\nprint(Ramal.__name__)\n' },
  php: { file: 'use.php', code: phpProgram('ramal/autoload.php') },
} as const

const byComposer = { file: 'use.php', code: phpProgram('vendor/autoload.php') }

test('both languages install the clients by the same commands', () => {
  expect(installs('pt-BR')).toEqual(installs('en'))
  // Composer's command is the last one.
  expect(installs('en')).toHaveLength(Object.keys(uses).length + 1)
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

/** Packs the client, runs the commands in an empty folder and then the program there. */
function install(language: Language, commands: string[], { file, code }: { file: string; code: string }) {
  const home = mkdtempSync(join(folder, `home-${language}-`))
  const clients = mkdtempSync(join(folder, `packed-${language}-`))
  const composerHome = mkdtempSync(join(folder, 'composer-'))
  writeFileSync(join(composerHome, 'config.json'), '{"repositories": {"packagist": false}}')
  const packed = spawnSync(process.execPath, [packer, clients, language], { encoding: 'utf8' })
  expect(packed.status, packed.stderr).toBe(0)
  // Nothing is fetched, and nothing is changed outside of the folder.
  const env = {
    ...process.env,
    clients,
    npm_config_offline: 'true',
    PIP_NO_INDEX: '1',
    PIP_TARGET: join(home, 'packages'),
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PYTHONPATH: join(home, 'packages'),
    COMPOSER_HOME: composerHome,
    COMPOSER_DISABLE_NETWORK: '1',
    COMPOSER_ALLOW_SUPERUSER: '1',
  }
  const installed = spawnSync('sh', ['-ec', commands.join('')], { cwd: home, env, encoding: 'utf8' })
  expect(installed.status, installed.stderr).toBe(0)
  writeFileSync(join(home, file), code)
  const used = spawnSync(programs[language], [file], { cwd: home, env, encoding: 'utf8' })
  expect([used.status, used.stdout, used.stderr]).toEqual([0, 'Ramal\n', ''])
}

const timeout = 180_000

test.each(present)('the command for $language installs its client', { timeout }, ({ language, index }) => {
  install(language, [installs('en')[index] ?? 'false'], uses[language])
})

test.skipIf(programMissing('composer'))('Composer installs the unpacked client', { timeout }, () => {
  install('php', installs('en').slice(-2), byComposer)
})

test('the README of the PHP client installs by the commands of the page', () => {
  const readme = readFileSync(new URL('../../clients/php/README.md', import.meta.url), 'utf8')
  const commands = blocksOf(readme)
    .filter(({ info }) => info === 'sh')
    .map(({ code }) => code.replace('unzip package/clients', 'unzip -q "$clients').replace('.zip', '.zip"'))
  expect(commands).toEqual(installs('en').slice(-2))
})
