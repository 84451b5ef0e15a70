/**
 * Commands from the API to the voice node that carries, or will carry, a call. In a process with both roles they are
 * plain function calls; to nodes in other processes they are rows (fleet/).
 */
import type { Grant } from '../billing/credit/credit.ts'
import type { Placed, StoredCommand, Waiter } from '../calls/admission/stored-command.ts'
import type { NewCall } from '../calls/calls-store.ts'
import type { CodeCallRequest, CodeCallResult, ExtensionName, KeyPress } from '../engine/port.ts'
import type { PhoneDirectory } from '../extensions/phones/phone-directory.ts'
import type { Maybe } from '../kit/maybe.ts'
import type { CeilingRefusal } from '../limits/ceilings.ts'
import type { CallHere } from './calls-here.ts'
import type { RemoteCommands } from './fleet/remote-commands.ts'
import type { LocalCommands, OccupyingCall } from './local-commands.ts'

export type { Waiter } from '../calls/admission/stored-command.ts'
export { claimSeconds } from '../calls/admission/stored-command.ts'

/** D6: how long an API request waits for the phone to ring, or for a call to end. */
export const answerWithinMs = 2_000

/** A call that is stored, for the node that its row names. */
type PlaceCommand = {
  node: string
  command: StoredCommand
  /** Undefined for a free call. */
  grant: Grant | undefined
  client?: Waiter | undefined
}

/** The node that can ring an extension; one that is about to stop takes no new calls (D502). */
type NodeOfPhone = { id: string; takesCalls: boolean }

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
  occupy(call: OccupyingCall & { node: string }): Maybe<CeilingRefusal | undefined>
  vacate(callId: string): void
  /** An end is stored when it resolves. */
  place(command: PlaceCommand): Promise<Placed>
  /** Whether this process can call numbers. */
  callsForCode(): boolean
  /** A call that a number is verified by (D188). */
  callForCode(request: CodeCallRequest): Promise<CodeCallResult>
  /** D282: has the node dial a second call. `not taken` if the first cannot be transferred now: then the second has ended. */
  transfer(command: Omit<PlaceCommand, 'client'>): Promise<Placed>
  /**
   * D280: sends keys to a side of an answered call. False if the node has no such call; undefined if another process did
   * not answer.
   */
  pressKeys(
    call: { id: string; node: string },
    to: KeyPress['to'],
    keys: string,
  ): Promise<boolean | undefined>
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
      if (local?.hasPhone(extension)) return { id: local.node, takesCalls: true }
      // Memory knows more of its own phones than the directory.
      return directory.find(extension).then((found) => (found && isHere(found.id) ? undefined : found))
    },
    handOver: (node, command) => (isHere(node) ? undefined : { origin: remote.origin, command }),
    occupy: ({ node, ...call }) => (isHere(node) ? local?.occupy(call) : undefined),
    vacate: (callId) => local?.vacate(callId),
    async place({ node, command, grant, client }) {
      const { callId } = command.request
      if (local && isHere(node)) return await local.place({ ...command, grant }, client)
      return await remote.place({ id: callId, node }, client)
    },
    callsForCode: () => local !== undefined && !local.isDraining(),
    callForCode: (request) =>
      local?.callForCode(request) ?? Promise.reject(new Error('this process calls no numbers')),
    async transfer({ node, command, grant }) {
      if (local && isHere(node)) return local.transfer({ ...command, grant })
      return await remote.transfer({ id: command.request.callId, node })
    },
    async pressKeys(call, to, keys) {
      if (local && isHere(call.node)) return local.pressKeys(call.id, to, keys)
      return await remote.pressKeys(call, to, keys)
    },
    findHere(key) {
      const call = local?.find(key)
      return local && call && { ...call, node: local.node }
    },
    hangUp: (call) => (local && isHere(call.node) ? local.hangUp(call.id) : remote.hangUp(call)),
  }
}
