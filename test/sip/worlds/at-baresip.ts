import type { Person } from '../../../src/engine/contract-suite.ts'
import type { Baresip } from '../peers/baresip.ts'

/** Somebody at a baresip, which rings by itself and knows no other refusal than busy. */
export function atBaresip(phone: Baresip): Person {
  return {
    async rings() {
      await phone.incoming()
    },
    async answers() {
      await phone.incoming()
      await phone.accept()
    },
    async refuses() {
      await phone.incoming()
      await phone.hangUp()
    },
    async hangsUp() {
      await phone.hangUp()
    },
  }
}
