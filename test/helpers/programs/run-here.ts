/** A command of `ramal` in the test's own process, which saves the start of another one. */
import { vi } from 'vitest'
import { runVerb } from '../../../src/cli/run-verb.ts'

/** The exit code, and what was written to standard output and standard error. One at a time; not `serve`, which changes its user. */
export async function runHere(args: string[], env: Record<string, string>) {
  const written = { output: '', errors: '' }
  const keep = (name: keyof typeof written) => (text: string | Uint8Array) => {
    written[name] += String(text)
    return true
  }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep('output')),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep('errors')),
  ]
  try {
    const code = await runVerb({ CONSOLE: 'off', RUN_AS_ROOT: 'true', ...env }, args)
    return { code, ...written }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
