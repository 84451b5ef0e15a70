/**
 * Commands from the API to the voice node that carries, or will carry, a call. In a process with both roles they are
 * plain function calls; to nodes in other processes they are rows (fleet/).
 */
import type { Grant } from '../billing/credit/credit.ts'
import type { CallEvent, CodeCallRequest, CodeCallResult, ExtensionName, KeyPress } from '../engine/port.ts'
import type { PhoneDirectory } from '../extensions/phone-directory.ts'
import type { Maybe } from '../kit/maybe.ts'
import type { SecondCall } from './call-transfers.ts'
import type { CallHere } from './calls-here.ts'
import type { NewCall } from './calls-store.ts'
import type { CeilingRefusal } from './ceilings.ts'
import type { RemoteCommands } from './fleet/remote-commands.ts'
import type { StoredCommand } from './fleet/stored-command.ts'
import type { LocalCommands } from './local-commands.ts'

/** D6: how long an API request waits for the phone to ring, or for a call to end. */
export const answerWithinMs = 2_000

/** A call that is stored, for the node that its row names. */
type PlaceCommand = {
  node: string
  command: StoredCommand
  /** Undefined for a free call. */
  grant: Grant | undefined
  /** D227: whether somebody still waits for the answer. */
  isWanted?: (() => boolean) | undefined
}

/** The node that can ring an extension; a draining one takes no new calls. */
type NodeOfPhone = { id: string; state: 'active' | 'draining' }

export type VoiceCommands = {
  /** False while this process is draining. */
  acceptsCalls(): boolean
  /** Undefined if no phone is registered at a living node. */
  findNode(extension: ExtensionName): Maybe<NodeOfPhone | undefined>
  /** For the row of a new call; undefined if the node is this process. */
  handOver(node: string, command: StoredCommand): NewCall['handOver']
  /**
   * D176: counts a new call, or refuses it. `vacate` gives the place back if the call is not placed. Calls of another
   * node are counted there, when it claims them.
   */
  occupy(call: {
    id: string
    node: string
    accountId: number
    extensionId: number
  }): Maybe<CeilingRefusal | undefined>
  vacate(callId: string): void
  /** Resolves with the first event of the call, an end once it is stored; undefined if none came in time (D6). */
  place(command: PlaceCommand): Promise<CallEvent['type'] | undefined>
  /** Whether this process can call numbers. */
  callsForCode(): boolean
  /** A call that a number is verified by (D188). */
  callForCode(request: CodeCallRequest): Promise<CodeCallResult>
  /** D282: has the node dial the second call. False if the first cannot be transferred now: then the second has ended. */
  transfer(call: { id: string; node: string }, second: SecondCall): Promise<boolean>
  /** D280: sends keys to a side of an answered call. False if the node has no such call. */
  pressKeys(call: { id: string; node: string }, to: KeyPress['to'], keys: string): Promise<boolean>
  /** D242: a live call of this process, by either id, without the database. */
  findHere(key: string): (CallHere & { node: string }) | undefined
  /** Resolves once the end is stored, or the time to wait is over; with false if the node has no such call. */
  hangUp(call: { id: string; node: string }): Promise<boolean>
}

type Deps = {
  /** Undefined without the voice role. */
  local: LocalCommands | undefined
  remote: RemoteCommands
  directory: Pick<PhoneDirectory, 'find'>
}

export function createVoiceCommands({ local, remote, directory }: Deps): VoiceCommands {
  const isHere = (node: string) => local?.node === node

  return {
    acceptsCalls: () => local?.isDraining() !== true,
    findNode(extension) {
      // On one machine the answer is in memory, without a statement.
      if (local?.hasPhone(extension)) return { id: local.node, state: 'active' }
      // Of its own phones memory knows more than the directory.
      return directory.find(extension).then((found) => (found && isHere(found.id) ? undefined : found))
    },
    handOver: (node, command) => (isHere(node) ? undefined : { origin: remote.origin, command }),
    occupy: ({ node, ...call }) => (isHere(node) ? local?.occupy(call) : undefined),
    vacate: (callId) => local?.vacate(callId),
    async place({ node, command, grant, isWanted }) {
      const { callId } = command.request
      if (local && isHere(node)) return await local.place({ ...command, grant }, isWanted)
      return await remote.place({ id: callId, node }, isWanted)
    },
    callsForCode: () => local !== undefined && !local.isDraining(),
    callForCode: (request) =>
      local?.callForCode(request) ?? Promise.reject(new Error('this process calls no numbers')),
    async transfer({ id, node }, second) {
      return local && isHere(node) ? local.transfer(id, second) : await remote.transfer(id, second)
    },
    async pressKeys({ id, node }, to, keys) {
      return local && isHere(node) ? local.pressKeys(id, to, keys) : await remote.pressKeys(id, to, keys)
    },
    findHere(key) {
      const call = local?.find(key)
      return local && call && { ...call, node: local.node }
    },
    hangUp: (call) => (local && isHere(call.node) ? local.hangUp(call.id) : remote.hangUp(call)),
  }
}
