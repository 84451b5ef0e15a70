import type { Person } from '../../../src/engine/contract-suite.ts'
import type { Asterisk } from '../peers/asterisk.ts'

const q850 = { busy: 17, declined: 21 }

type Post = {
  /** The called number, whose act rings for ever. */
  number: string
  /** The act of an answered call. */
  talks: string
}

/** Somebody at an Asterisk, who attends to the first call from now on. */
export function atAsterisk(asterisk: Asterisk, { number, talks }: Post): Person {
  const after = asterisk.events.length
  const arrival = () => asterisk.arrival(number, after)
  const channel = async () => (await arrival()).Channel ?? ''
  let answered: Promise<unknown> | undefined
  return {
    async rings() {
      await channel()
    },
    async answers() {
      const { Channel = '', Uniqueid = '' } = await arrival()
      answered = asterisk.answered(Uniqueid).catch(() => {})
      await asterisk.redirect(Channel, talks)
    },
    async refuses(why) {
      await asterisk.hangUp(await channel(), q850[why])
    },
    async hangsUp() {
      // Asterisk redirects first and answers then; before that it would be a refusal.
      await answered
      await asterisk.hangUp(await channel())
    },
  }
}
