/**
 * Builds the console into the folder given, with a compressed copy of every file beside it. The service runs this in a
 * child process; it ends with the standard input, which the service holds.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import consoleConfig from './vite.config.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('name the folder to build into')
process.stdin.on('end', () => process.exit(1)).resume()

try {
  await build({ ...consoleConfig, build: { ...consoleConfig.build, outDir: folder, emptyOutDir: true } })
  for (const name of globSync('**/*.{html,js,css,svg,webmanifest}', { cwd: folder })) {
    const file = join(folder, name)
    const content = readFileSync(file)
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 10,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      }),
    )
  }
  process.exit(0)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
