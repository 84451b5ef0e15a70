/**
 * The baseline: Asterisk, controlled over ARI to do what our engine does. It rings a phone, dials the destination when
 * the phone answers, bridges the two and, if asked, records from the destination's answer on.
 *
 *   ring A ──▶ A answers: bridge A, create B ──▶ B is ours: bridge B, dial it ──▶ B answers: record, done
 */
import { startAsterisk } from '../../../test/sip/peers/asterisk.ts'
import { type AriEvent, connectAri } from './ari.ts'

type Options = {
  /** Ports where the simulated phones and the simulated carrier listen. */
  phones: number
  carrier: number
  record: boolean
}

type Placed = { resolve: () => void; reject: (error: Error) => void }

/** A channel id is the call id, a dot and the leg: `a` for the phone, `b` for the destination. */
const sideOf = (channelId: string) => channelId.slice(-1)
const callOf = (channelId: string) => channelId.slice(0, -2)

export async function startAsteriskPeer({ phones, carrier, record }: Options) {
  const asterisk = await startAsterisk({})
  const waiting = new Map<string, Placed>()
  const live = new Set<string>()
  const ari = await connectAri(asterisk.ari, (event) => {
    const channelId = event.channel?.id
    if (channelId) follow(event, channelId).catch((error) => fail(callOf(channelId), error))
  })

  function fail(callId: string, error: Error) {
    waiting.get(callId)?.reject(error)
    waiting.delete(callId)
  }

  async function follow({ type, channel, cause }: AriEvent, channelId: string) {
    const callId = callOf(channelId)
    const side = sideOf(channelId)
    if (type === 'StasisStart' && side === 'a') await createDestination(callId)
    else if (type === 'StasisStart') await dialDestination(callId)
    else if (type === 'ChannelStateChange' && side === 'b' && channel?.state === 'Up') await answered(callId)
    else if (type === 'ChannelDestroyed') await clear(callId, cause)
  }

  async function createDestination(callId: string) {
    await ari.call('POST', `/bridges/${callId}`, { type: 'mixing' })
    await ari.call('POST', `/bridges/${callId}/addChannel`, { channel: `${callId}.a` })
    await ari.call('POST', '/channels/create', {
      endpoint: `PJSIP/carrier/sip:5511900000000@127.0.0.1:${carrier}`,
      app: 'ramal',
      channelId: `${callId}.b`,
      originator: `${callId}.a`,
    })
  }

  async function dialDestination(callId: string) {
    await ari.call('POST', `/bridges/${callId}/addChannel`, { channel: `${callId}.b` })
    await ari.call('POST', `/channels/${callId}.b/dial`, { timeout: '30' })
  }

  async function answered(callId: string) {
    if (record) await ari.call('POST', `/bridges/${callId}/record`, { name: callId, format: 'wav' })
    waiting.get(callId)?.resolve()
    waiting.delete(callId)
  }

  /** Asterisk does not hang up the other leg when one ends, so both are deleted here. */
  async function clear(callId: string, cause = 0) {
    if (!live.delete(callId)) return
    fail(callId, new Error(`the call ended with cause ${cause} before it was answered`))
    await Promise.all(['a', 'b'].map((side) => ari.call('DELETE', `/channels/${callId}.${side}`)))
    await ari.call('DELETE', `/bridges/${callId}`)
  }

  return {
    pid: asterisk.pid,
    /** Resolves when both legs are answered. */
    async place(callId: string): Promise<void> {
      live.add(callId)
      const joined = new Promise<void>((resolve, reject) => waiting.set(callId, { resolve, reject }))
      // It may reject before it is awaited below.
      joined.catch(() => {})
      await ari
        .call('POST', '/channels', {
          endpoint: `PJSIP/carrier/sip:1000@127.0.0.1:${phones}`,
          app: 'ramal',
          channelId: `${callId}.a`,
          callerId: '5511900000000',
          timeout: '30',
        })
        .catch((error) => fail(callId, error))
      await joined
    },
    hangUp: (callId: string) => clear(callId),
    liveCalls: () => live.size,
    async stop() {
      ari.close()
      await asterisk.stop()
    },
  }
}
