/** Sends hostile requests to a running service: it must neither end, nor fail inside, nor grow, nor stop serving others. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSeededRandom } from '../crash/seeded-random.ts'
import { withFullService } from '../full-service/full-service.ts'
import { api } from '../service.ts'
import { createRequester, type Requester, readAnswer, sendMalformed } from './answers.ts'
import { failuresInLog, judge, judgeAnswer } from './judge.ts'
import { createKnownIds } from './known-ids.ts'
import { createMalformedWriter } from './malformed-http.ts'
import { readOperations } from './operations.ts'
import { createPeople } from './people.ts'
import { createRequestWriter } from './request-writer.ts'

const clients = 12
/** After so many requests the account that sends nothing hostile asks for its user and its calls. */
const batch = 500
const malformedShare = 0.1
const maxGrowthMb = 50
/** Requests after whose first tenth the process has reached its size: V8 fills its heap before it collects. */
const minForGrowth = 100_000
const maxProblems = 50

/** Searches and deliveries to made-up addresses must not be what is waited for. */
const env = { RATE_LIMITS: 'off', WEBHOOK_ALLOW_PRIVATE: 'false', TRUST_PROXY: '', LOG_FORMAT: 'json' }

type Options = { requests: number; seed: number; onProgress?: (sent: number) => void }

export type HttpFuzzResult = {
  usedMb: { afterTenth: number; atEnd: number }
  rssMb: { afterTenth: number; atEnd: number }
  statuses: Record<string, number>
  /** Operations that were answered with a success at least once, and all of them. */
  succeeded: number
  operations: number
  /** Empty if all went well. */
  problems: string[]
}

export function fuzzHttp({ requests, seed, onProgress = () => {} }: Options): Promise<HttpFuzzResult> {
  return withFullService({ engine: 'fake', env }, async (service) => {
    await service.ask('behave', 'whole life')
    const operations = await readOperations(`${service.url}${api}`)
    const people = await createPeople(service)
    const ids = createKnownIds()
    const statuses: Record<string, number> = {}
    const succeeded = new Set<string>()
    const problems: string[] = []
    let ended = false
    service.child.once('exit', (code) => {
      ended = true
      problems.push(`the service ended with code ${code}`)
    })
    let sent = 0

    const report = (number: number, problem: string, bytes: Buffer) =>
      problems.push(
        `request ${number} of seed ${seed}: ${problem}\n  ${JSON.stringify(bytes.toString('latin1').slice(0, 2_000))}`,
      )

    async function sendOne(number: number, requester: Requester) {
      // Each request has a seed of its own, so that it does not depend on which client sends it.
      const random = createSeededRandom(seed * 1_000_003 + number)
      const known = (name: string) => ids.pick(name, random)
      const request = createRequestWriter(random, { operations, tokens: people.tokens, known })()
      if (random.next() < malformedShare) {
        const bytes = createMalformedWriter(random)(request)
        const answer = readAnswer(await sendMalformed(service.port, bytes), request.method)
        const problem = answer && judgeAnswer(answer, request.method)
        count(answer ? `malformed ${answer.status}` : 'malformed, closed')
        if (problem) report(number, problem, bytes)
        return
      }
      const outcome = await requester.exchange(request.bytes, request.method)
      const problem = judge(outcome, request.method)
      if (problem) report(number, problem, request.bytes)
      if (typeof outcome === 'string') return count(outcome)
      count(String(outcome.status))
      if (outcome.status === 401) await people.revive(request.head)
      if (outcome.status >= 300) return
      succeeded.add(`${request.operation.method} ${request.operation.path}`)
      ids.learn(outcome.body)
    }

    function count(what: string) {
      statuses[what] = (statuses[what] ?? 0) + 1
    }

    async function runClient(end: number) {
      const requester = createRequester(service.port)
      while (sent < end && !ended && problems.length < maxProblems) {
        const number = sent++
        await sendOne(number, requester)
        if (number % batch === 0) problems.push(...(await people.control()))
        if (number % 10_000 === 0) onProgress(number)
      }
      requester.close()
    }

    /** Memory is read between requests: a password that is being hashed takes 19 MB. */
    async function sendUntil(end: number) {
      await Promise.all(Array.from({ length: clients }, () => runClient(end)))
      if (!ended) problems.push(...(await people.control()))
      return ended ? { used: 0, rss: 0 } : service.ask('memory')
    }

    const early = await sendUntil(Math.ceil(requests / 10))
    const late = await sendUntil(requests)
    if (requests >= minForGrowth) {
      problems.push(...growthOf('used memory', early.used, late.used))
      problems.push(...growthOf('the process', early.rss, late.rss))
    }
    problems.push(...failuresInLog(readFileSync(join(service.folder, 'service.log'), 'utf8')))
    return {
      usedMb: { afterTenth: early.used, atEnd: late.used },
      rssMb: { afterTenth: early.rss, atEnd: late.rss },
      statuses,
      succeeded: succeeded.size,
      operations: operations.length,
      problems: problems.slice(0, maxProblems),
    }
  })
}

function growthOf(what: string, early: number, late: number): string[] {
  return late - early > maxGrowthMb ? [`${what} grew from ${early.toFixed(0)} to ${late.toFixed(0)} MB`] : []
}
