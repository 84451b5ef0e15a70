/** Words for the person at the terminal; the log goes its own way. */
export function say(line: string) {
  process.stdout.write(`${line}\n`)
}
