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
  const channel = async () => (await asterisk.arrival(number, after)).Channel ?? ''
  return {
    async rings() {
      await channel()
    },
    async answers() {
      await asterisk.redirect(await channel(), talks)
    },
    async refuses(why) {
      await asterisk.hangUp(await channel(), q850[why])
    },
    async hangsUp() {
      await asterisk.hangUp(await channel())
    },
  }
}
