/** The pictures of the documentation, by name. */
import type { Drawing } from '../drawing.ts'
import { callPicture } from './call.ts'
import { fleetPicture } from './fleet.ts'
import { webhookPicture } from './webhook.ts'

export const pictures: Record<string, Drawing> = {
  call: callPicture,
  webhook: webhookPicture,
  fleet: fleetPicture,
}
