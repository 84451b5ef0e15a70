/**
 * Runs a background job: calls `tick()` every `everyMs`, and at once when woken. Two ticks never overlap.
 * A failing tick is reported with the job's name and does not end the loop. Tests call `tick()` directly.
 */
export type Loop = {
  /** Runs a tick now. If one is running, another follows it at once. */
  wake(): void
  /** Waits for the running tick, if there is one. */
  idle(): Promise<void>
  /** Starts no further tick and waits for the running one. */
  stop(): Promise<void>
}

type Options = {
  name: string
  everyMs: number
  tick: () => Promise<unknown>
  onError: (error: unknown, name: string) => void
}

export function startLoop({ name, everyMs, tick, onError }: Options): Loop {
  let stopped = false
  let woken = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  async function turn() {
    do {
      woken = false
      await tick().catch((error) => onError(error, name))
    } while (woken && !stopped)
    running = undefined
    plan()
  }

  function begin() {
    clearTimeout(timer)
    running ??= turn()
  }

  function plan() {
    if (!stopped) timer = setTimeout(begin, everyMs)
  }

  plan()
  return {
    wake() {
      woken = true
      if (!stopped) begin()
    },
    async idle() {
      await running
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
