import { expect, test } from 'vitest'
import { createSigner } from './signature.ts'

/** Published with Standard Webhooks 1.0. */
const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  seconds: 1614265330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const signatureHeaders = createSigner()
const message = { id: vector.id, at: new Date(vector.seconds * 1000 + 999), body: vector.body }

test('signs as the published vector does (D87)', () => {
  expect(signatureHeaders({ ...message, secrets: [vector.secret] })).toEqual({
    'webhook-id': vector.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': vector.signature,
  })
})

test('the prefix of the secret is not part of the key', () => {
  const bare = signatureHeaders({ ...message, secrets: [vector.secret.slice('whsec_'.length)] })
  expect(bare['webhook-signature']).toBe(vector.signature)
})

test('with two secrets there are two signatures, the newest first', () => {
  const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
  const [first, second, ...rest] =
    signatureHeaders({ ...message, secrets: [other, vector.secret] })['webhook-signature']?.split(' ') ?? []
  expect([first === vector.signature, second, rest]).toEqual([false, vector.signature, []])
})
