/**
 * Transfers for the API (D282): the extension leaves a call, its other side is connected to a new party. The new party is
 * dialled by a second call, which is stored, paid and reported like any other, and names the first one.
 */
import { refuse } from '../contract/errors.ts'
import { type ExtensionProfiles, presentedBy } from '../extensions/profiles.ts'
import type { Clock } from '../kit/clock.ts'
import { uuidv7 } from '../kit/ids.ts'
import type { Caller } from '../users/caller.ts'
import type { VoiceCommands } from '../voice/commands.ts'
import { type CallChecks, ownersOf } from './call-checks.ts'
import { refuseFailed } from './calls.ts'

export type Transferred = { id: string; transferId: string }

type Deps = {
  clock: Clock
  profiles: ExtensionProfiles
  commands: Pick<VoiceCommands, 'transfer' | 'handOver'>
  checks: CallChecks
}

export function createCallTransfers({ clock, profiles, commands, checks }: Deps) {
  /** `key`: either id of the call. */
  async function transfer(caller: Caller, key: string, to: string): Promise<Transferred> {
    const call = await checks.findLive(caller, key)
    if (!call.answered_at) throw refuse('CALL_NOT_ANSWERED')
    const extension = call.call_type === 'inbound' ? call.to_number : call.from_number
    const profile = await profiles.findByNumber(caller.accountId, extension)
    if (!profile) throw refuse('EXTENSION_UNKNOWN')
    const request = { called: to, calledField: 'to' as const }
    const { destination, to: number, isFree } = await checks.findDestination(profile, request)
    const startedAt = clock.now()
    const id = uuidv7(startedAt)
    const { node } = call
    const command = {
      accountId: profile.accountId,
      extensionId: profile.id,
      owners: ownersOf(caller, profile),
      transferOf: call.id,
      // The recording of the first call goes on.
      request: {
        callId: id,
        destination,
        presented: presentedBy(profile, destination),
        record: false,
      },
    }
    const { grant } = await checks.admit(
      {
        id,
        profile,
        user: caller.user,
        transferOf: call.id,
        from: profile.number,
        to: number,
        metadata: '{}',
        startedAt,
        node,
        handOver: commands.handOver(node, command),
        type: 'extension' in destination ? 'internal' : 'outbound',
        status: 'connecting',
        ...(isFree && { isFree }),
      },
      request,
    )
    const outcome = await commands.transfer({ node, command, grant })
    if (outcome === 'not taken') throw refuse('CALL_NOT_TRANSFERABLE')
    if (outcome === 'ended') throw refuseFailed(profile.number, number, id)
    return { id: call.id, transferId: id }
  }

  return { transfer }
}
export type CallTransfers = ReturnType<typeof createCallTransfers>
