/**
 * Loads a part of the console that comes later, such as a page. Without the service it waits for it, and the page that is open
 * stays; a service that answers and does not have the part is of another build, whose page is loaded.
 */
const retryMs = 2_000

export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    await untilReachable()
  }
  try {
    return await load()
  } catch {
    window.location.reload()
    return await new Promise<never>(() => {})
  }
}

async function untilReachable() {
  while (!(await isReachable())) await new Promise((resolve) => setTimeout(resolve, retryMs))
}

async function isReachable(): Promise<boolean> {
  try {
    const { ok } = await fetch('/console/', { method: 'HEAD', cache: 'no-store' })
    return ok
  } catch {
    return false
  }
}
