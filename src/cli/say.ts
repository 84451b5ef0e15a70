/** Words for the person at the terminal; the log goes its own way. */
export function say(line: string) {
  process.stdout.write(`${line}\n`)
}

/** What went wrong: apart from the output, which may go to a file. */
export function complain(line: string) {
  process.stderr.write(`${line}\n`)
}
