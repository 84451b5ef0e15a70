/**
 * A loop asks again and again "what is due?". Its body is `tick()`, which tests call by themselves.
 * A tick that fails is reported and tried again at the next turn; two ticks never overlap.
 */
export type Loop = {
  /** Ask now instead of at the next turn. */
  wake(): void
  /** No further tick begins; the one under way is waited for. */
  stop(): Promise<void>
}

type Options = {
  everyMs: number
  tick: () => Promise<unknown>
  onError: (error: unknown) => void
}

export function startLoop({ everyMs, tick, onError }: Options): Loop {
  let stopped = false
  let woken = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  async function turn() {
    do {
      woken = false
      await tick().catch(onError)
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
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
