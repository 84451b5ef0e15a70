/**
 * ICE-lite (RFC 8445, 2.5): the peer finds the way to us by checks, which we answer. A check proves by its integrity
 * that its sender knows the password of our SDP. Only addresses that have proven this are listened and sent to.
 *
 *   no address ──a check──▶ checked ──a check that nominates──▶ nominated ──an authentic packet──▶ in use
 *
 * Firefox nominates every address that it checks (RFC 5245, 8.1.1.2), and then uses one of them without a signal: its packets show which.
 *
 * RFC 7675: a peer that has sent no check for 30 s no longer wants our packets.
 */
import { randomBytes } from 'node:crypto'
import { bindingResponseTo, readBindingRequest, roleConflictTo } from './stun.ts'

export type IceCredentials = { ufrag: string; password: string }

type Source = { address: string; port: number }

/** The lengths that RFC 8445, 5.3 asks for: 24 and 128 bits at least. */
export function createIceCredentials(): IceCredentials {
  return { ufrag: randomBytes(6).toString('base64url'), password: randomBytes(18).toString('base64url') }
}

const consentMs = 30_000
/** A host with more addresses than this nominates one of the newest. */
const maxChecked = 16

export function createIceLite() {
  let local: IceCredentials | undefined
  let remoteUfrag: string | undefined
  /** From before a restart: valid until the first check with the new ones (RFC 8445, 9). */
  let former: { local: IceCredentials; remoteUfrag: string } | undefined
  const checked: Source[] = []
  let selected: Source | undefined
  let isNominated = false
  let isInUse = false
  let lastCheckAt = 0

  /** The credentials of both SDPs; others than before are an ICE restart. */
  function expect(ours: IceCredentials, theirs: string) {
    if (local?.ufrag === ours.ufrag && remoteUfrag === theirs) return
    if (local && remoteUfrag !== undefined) former = { local, remoteUfrag }
    local = ours
    remoteUfrag = theirs
    isNominated = false
    isInUse = false
  }

  /** The response to a check, undefined if it proves nothing. */
  function answerCheck(packet: Buffer, address: string, port: number, now: number): Buffer | undefined {
    if (!local || remoteUfrag === undefined) return undefined
    let password = local.password
    let request = readCheck(packet, local, remoteUfrag)
    if (request) former = undefined
    else if (former) {
      password = former.local.password
      request = readCheck(packet, former.local, former.remoteUfrag)
    }
    if (!request) return undefined
    if (request.isControlled) return roleConflictTo(packet, password)
    accept({ address, port }, request.isNominating)
    lastCheckAt = now
    return bindingResponseTo(packet, address, port, password)
  }

  function accept(source: Source, isNominating: boolean) {
    if (!isChecked(source.address, source.port)) {
      if (checked.length >= maxChecked) checked.shift()
      checked.push(source)
    }
    if (!isInUse && (isNominating || !isNominated)) selected = source
    if (isNominating) isNominated = true
  }

  /** An authentic packet came from the address, which is checked: the peer sends where it wants to receive. */
  function use(address: string, port: number) {
    isInUse = true
    if (selected?.port !== port || selected.address !== address) selected = { address, port }
  }

  /** Asked for each packet. */
  function isChecked(address: string, port: number): boolean {
    for (const source of checked) if (source.port === port && source.address === address) return true
    return false
  }

  return {
    expect,
    answerCheck,
    use,
    isChecked,
    /** Where to send to; undefined without consent. */
    selected: (now: number): Source | undefined => (now - lastCheckAt < consentMs ? selected : undefined),
  }
}

function readCheck(packet: Buffer, local: IceCredentials, remoteUfrag: string) {
  const request = readBindingRequest(packet, local.password)
  return request?.username === `${local.ufrag}:${remoteUfrag}` ? request : undefined
}
