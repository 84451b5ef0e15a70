/** Why a file or folder that was named on the command line cannot be used, as a sentence. */
const reasons: Record<string, string> = {
  EACCES: 'this user may not',
  EEXIST: 'it exists already',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is no folder',
  EROFS: 'the disk is read-only',
}

/** An error of the file system becomes one that says what could not be done with `path`; others stay as they are. */
export function fileProblem(error: unknown, path: string, action: 'read' | 'written' | 'made'): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  const code = 'code' in error ? String(error.code) : ''
  return new Error(`${path} cannot be ${action}: ${reasons[code] ?? error.message}.`, { cause: error })
}
