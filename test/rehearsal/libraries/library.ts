/** Ways to send a request without a body, as people write them. Each throws unless the service answers with 2xx. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** By the line of code that people write. */
export type Forms = Record<string, (url: string, token: string) => Promise<unknown>>

const run = promisify(execFile)

export const fileBeside = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A program that ends with another code than 0 unless it was answered with 2xx. */
export async function runProgram(command: string, args: string[]): Promise<string> {
  return (await run(command, args)).stdout
}
