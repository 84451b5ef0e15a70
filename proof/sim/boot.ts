/** While a service starts it reads files: an event is over only when they are read. Looking costs more than an event does. */
let starting = 0

export function expectFiles(isExpected: boolean) {
  starting += isExpected ? 1 : -1
}

export function isReadingFiles(): boolean {
  if (starting <= 0) return false
  return process.getActiveResourcesInfo().some((name) => /^(FSReq|FileHandle|CloseReq)/.test(name))
}
