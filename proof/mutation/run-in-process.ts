/** Mutants in the process of their tests (D566), in as many processes as are needed. */
import { spawn } from 'node:child_process'
import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseLog } from './in-process-log.ts'

/** A process that writes nothing for so long hangs. */
const hangMs = 180_000

export async function runInProcess(env: NodeJS.ProcessEnv, log: string) {
  const lines = () => parseLog(readFileSync(log, 'utf8'))
  for (;;) {
    const before = lines().length
    await runTests(env, log)
    const added = lines().slice(before)
    const last = added.at(-1)
    process.stderr.write(`${added.length} steps\n`)
    // The process was ended, or died of its mutant.
    if (last && 'tried' in last && last.result === 'running')
      appendFileSync(log, `${JSON.stringify({ ...last, result: 'timed out' })}\n`)
    else if (!added.some((line) => 'spoiled' in line)) return
  }
}

/** Ends a process that hangs. */
async function runTests(env: NodeJS.ProcessEnv, log: string) {
  const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'proof/mutation/vitest.config.ts'], {
    env,
    stdio: 'ignore',
    detached: true,
  })
  const began = Date.now()
  const watch = setInterval(() => {
    if (Date.now() - Math.max(began, statSync(log).mtimeMs) < hangMs || !child.pid) return
    process.kill(-child.pid, 'SIGKILL')
  }, 5_000)
  await new Promise((resolve) => child.on('exit', resolve))
  clearInterval(watch)
}
