/** What asks a verb to stop: a signal, or the end of the process that started it. */

export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

let asked = false

/** The next stop signal. Signals that come within `notBeforeMs` are ignored. */
export function nextStopSignal(notBeforeMs = 0): Promise<string> {
  const since = performance.now()
  return new Promise((resolve) => {
    for (const name of stopSignals) {
      process.on(name, () => {
        asked = true
        if (performance.now() - since >= notBeforeMs) resolve(name)
      })
    }
  })
}

const everyMs = 500

/**
 * D170: RAMAL_PARENT, set by the npm scripts, is a process with which this one ends. A killed npm forwards no signal;
 * the kernel then gives this process another parent. The variable is removed: it is not meant for child processes.
 */
export function endWithParent(env: NodeJS.ProcessEnv): void {
  const parent = Number(env.RAMAL_PARENT)
  delete env.RAMAL_PARENT
  if (!parent) return
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    // After a signal the work is being finished already; a second one would cut it short.
    if (!asked) process.kill(process.pid, 'SIGTERM')
  }, everyMs)
  timer.unref()
}
