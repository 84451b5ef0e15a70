/**
 * D624: tests of a trunk by the voice nodes that may use it: carriers know their addresses, not those of other machines. The
 * process that is asked notifies all of them, and each answers by a notice.
 */
import { randomUUID } from 'node:crypto'
import type { TrunkResponse, VoiceEngine } from '../../engine/port.ts'
import type { Timers } from '../../kit/timers.ts'
import type { Database } from '../../store/database.ts'
import { type Notices, notify } from '../../store/notices/notices.ts'
import type { StoredTrunks } from './stored-trunks.ts'

/** Longer than an engine waits for a response. */
const answerWithinMs = 7_000

const testChannel = 'trunk_tests'
const answerChannel = (process: string) => `trunk_test_answers:${process}`

type Request = { request: string; origin: string; name: string }
type Answer = { request: string; node: string; responses: TrunkResponse[] | null }

/** `responses` is null if the node does not use the trunk, undefined if it did not answer. */
export type NodeTest = { node: string; responses: TrunkResponse[] | null | undefined }

type Deps = {
  db: Database
  timers: Timers
  notices: Pick<Notices, 'listen'>
  /** The id of this process. */
  process: string
  /** Undefined without the voice role. */
  engine: Pick<VoiceEngine, 'testTrunk'> | undefined
  /** The address of this node for SIP, by which trunks are bound to nodes. */
  publicHost: string
  trunks: Pick<StoredTrunks, 'find' | 'load'>
  onError: (error: unknown) => void
}

export function createTrunkTests(deps: Deps) {
  const { db, timers, notices, process, engine, publicHost, trunks, onError } = deps
  const waiting = new Map<string, (answer: Answer) => void>()

  notices.listen(answerChannel(process), (payload) => {
    const answer = JSON.parse(payload) as Answer
    waiting.get(answer.request)?.(answer)
  })
  if (engine) {
    notices.listen(testChannel, (payload) => {
      answerTo(engine, JSON.parse(payload) as Request).catch(onError)
    })
  }

  async function answerTo(own: Pick<VoiceEngine, 'testTrunk'>, { request, origin, name }: Request) {
    await trunks.load()
    const settings = trunks.find(name)?.settings
    const isUsed = settings && (settings.nodes.length === 0 || settings.nodes.includes(publicHost))
    const responses = isUsed ? await own.testTrunk(settings) : null
    const answer: Answer = { request, node: process, responses }
    await notify(db, answerChannel(origin), JSON.stringify(answer))
  }

  /** The results of the voice nodes named, in their order. */
  async function test(name: string, voiceNodes: readonly string[]): Promise<NodeTest[]> {
    const request = randomUUID()
    const answers = new Map<string, Answer>()
    const answered = new Promise<void>((resolve) => {
      const timeout = timers.after(answerWithinMs, resolve)
      waiting.set(request, (answer) => {
        answers.set(answer.node, answer)
        if (!voiceNodes.every((node) => answers.has(node))) return
        timeout.cancel()
        resolve()
      })
    })
    try {
      const asked: Request = { request, origin: process, name }
      await notify(db, testChannel, JSON.stringify(asked))
      if (voiceNodes.length > 0) await answered
    } finally {
      waiting.delete(request)
    }
    return voiceNodes.map((node) => ({ node, responses: answers.get(node)?.responses }))
  }

  return { test }
}
export type TrunkTests = ReturnType<typeof createTrunkTests>
