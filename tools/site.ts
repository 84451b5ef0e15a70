/**
 * `npm run site -- --out <folder>`: writes the documentation as a static site. `--url` is the address of the service that
 * its examples name; http://localhost:3000 by default.
 */
import { parseArgs } from 'node:util'
import { describeRunningService } from './running-service.ts'
import { writeStaticSite } from './static-site.ts'

const { values } = parseArgs({
  options: { out: { type: 'string' }, url: { type: 'string', default: 'http://localhost:3000' } },
})
if (values.out === undefined) {
  process.stderr.write('Name the folder to write to: npm run site -- --out <folder>\n')
  process.exitCode = 1
} else {
  const files = writeStaticSite(values.out, await describeRunningService(), values.url.replace(/\/$/, ''))
  process.stdout.write(`${files.length} files in ${values.out}\n`)
}
