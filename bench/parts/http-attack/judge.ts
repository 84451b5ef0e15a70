/** What an answer to a hostile request must be: no failure of the service, and every error in the error body (D100). */
import type { Answer, Outcome } from './answers.ts'

/** What is wrong with the outcome of a well-formed request; undefined if nothing is. */
export function judge(outcome: Outcome, method: string): string | undefined {
  if (outcome === 'silent') return 'no answer'
  if (outcome === 'closed') return 'the connection was closed without an answer'
  return judgeAnswer(outcome, method)
}

export function judgeAnswer(answer: Answer, method: string): string | undefined {
  const { status, headers, body } = answer
  if (!(status >= 200 && status < 600)) return `status ${status}`
  if (status >= 500 && status !== 503) return `answered ${status}: ${body.toString().slice(0, 300)}`
  const type = headers.get('content-type') ?? ''
  if (status < 400 || method === 'HEAD' || type.startsWith('text/html')) return undefined
  return isErrorBody(body, status)
    ? undefined
    : `${status} without the error body: ${type} ${body.toString().slice(0, 300)}`
}

function isErrorBody(body: Buffer, status: number): boolean {
  try {
    const { error } = JSON.parse(body.toString())
    return (
      error.statusCode === status &&
      typeof error.code === 'string' &&
      error.code !== '' &&
      error.errorCode === error.code &&
      [error.name, error.message].every((text) => typeof text === 'string' && text !== '')
    )
  } catch {
    return false
  }
}

/** Lines of the log that show a failure: of a request, also one whose client is gone, of background work, of the process. */
export function failuresInLog(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => /unhandled|uncaught|"level":"(?:error|fatal)"/i.test(line) && !isTransientFailure(line))
    .map((line) => line.slice(0, 600))
}

/** Answered 503, which is allowed: a search too many, a conflict of transactions. */
const isTransientFailure = (line: string) =>
  line.includes('"msg":"request failed"') &&
  /"code":"(?:SEARCHES_BUSY|SERVICE_UNAVAILABLE|4000[13]|40P01|55P03)"/.test(line)
