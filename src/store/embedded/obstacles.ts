/** Reasons why the embedded server cannot run: one sentence each, with the remedy. */

export function obstacle(sentence: string, cause?: unknown): Error {
  return new Error(`${sentence}, or set DATABASE_URL to use a PostgreSQL of your own.`, { cause })
}

const full = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/
const closed = ['EACCES', 'EPERM', 'EROFS']
const notFolder = ['ENOTDIR', 'EEXIST']

/** Turns a system error about `folder` into a sentence; returns other errors unchanged. */
export function explain(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || error.message.includes('DATABASE_URL')) return error
  const code = 'code' in error ? String(error.code) : ''
  if (full.test(code) || full.test(error.message)) {
    return obstacle(`The disk that holds ${folder} is full: make room there`, error)
  }
  if ('syscall' in error && String(error.syscall).startsWith('spawn')) {
    return obstacle(
      `The embedded PostgreSQL's programs do not run on this system (${error.message}): use Linux with glibc, or macOS`,
      error,
    )
  }
  if (code === 'ERR_SQLITE_ERROR') {
    return obstacle(
      `${folder}/postgres.lock cannot be locked (${error.message}): open it to this user`,
      error,
    )
  }
  if (closed.includes(code)) {
    return obstacle(
      `The data folder ${folder} is closed to uid ${process.geteuid?.()} (${error.message}): open it to this user`,
      error,
    )
  }
  if (notFolder.includes(code))
    return obstacle(`The data folder ${folder} is not a folder: choose another`, error)
  return error
}
