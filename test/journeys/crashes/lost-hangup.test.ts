/** A request to hang up is kept in the database: the notice is only a hint. */
import { expect, test } from 'vitest'
import { changeCall } from '../../helpers/service/call-rows.ts'
import { openOffice, startVoiceService } from '../../helpers/service/voice.ts'

test('D13: a call is hung up although the notice of it was lost', async () => {
  const service = await startVoiceService()
  const office = await openOffice(service)
  const { id } = (await service.api.post('/calls', { extension: '1000', called: '5548999998888' }, office))
    .body
  // As another process writes it while the connection for notices is broken.
  await changeCall(service.db, id, { hangup_requested_at: new Date() })
  const status = async () => (await service.api.get(`/calls/${id}`, office)).body.status
  await expect.poll(status).toBe('cancelled')
  await service.stop()
})
