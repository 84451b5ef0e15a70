/** What has been opened, closed in reverse order. */
type Close = () => Promise<unknown> | unknown

export function createClosers(onError: (error: unknown) => void) {
  const closers: Close[] = []
  return {
    add(close: Close) {
      closers.push(close)
    },
    /** One that fails is reported and does not keep the others open. */
    async close() {
      for (const close of closers.splice(0).reverse()) {
        try {
          await close()
        } catch (error) {
          onError(error)
        }
      }
    },
  }
}
export type Closers = ReturnType<typeof createClosers>
