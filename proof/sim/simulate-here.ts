/** One run in this process, with files of its own, and what the auditor finds in it. */
import { chmodSync, createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startConsoleBuild } from '../../src/http/console/console-build.ts'
import { createLog } from '../../src/kit/process/log.ts'
import { openScratchFolder } from '../../test/helpers/run/scratch-folder.ts'
import { audit } from '../audit/audit.ts'
import { type RunOptions, run } from './run.ts'

type Options = Omit<RunOptions, 'scratch' | 'trace'> & {
  /** Files to which the history, and every statement, are written. */
  historyFile: string | undefined
  traceFile: string | undefined
}

export async function simulateHere({ historyFile, traceFile, ...options }: Options) {
  const folder = process.env.TMPDIR === undefined ? openScratchFolder() : tmpdir()
  const scratch = mkdtempSync(join(folder, 'ramal-proof-'))
  // The server of the database may run as another user, who must be able to enter it.
  chmodSync(scratch, 0o711)
  mkdirSync(join(scratch, 'data'))
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }))
  // Processes of the run find it built: they must not wait for a build in real time.
  await startConsoleBuild({ dataDir: join(scratch, 'data'), log: createLog('silent') }).finished
  const tracing = traceFile === undefined ? undefined : createWriteStream(traceFile)
  const { history, hash, figures } = await run({
    ...options,
    scratch,
    trace: tracing && ((line) => tracing.write(`${line.replaceAll(/\s+/g, ' ')}\n`)),
  })
  if (historyFile !== undefined) writeFileSync(historyFile, JSON.stringify(history))
  return { hash, ...figures, found: audit(history) }
}
