import { expect, test } from 'vitest'
import { nextSteps } from './serve.ts'

const url = 'http://localhost:3000'
const settings = { accountDomainSuffix: '.ramal.localhost' }

test('after the start the console comes first, with the mailbox where mails are kept, and then the command', () => {
  expect(nextSteps({ url, consoleBuild: {}, hasMailbox: true }, settings)).toMatch(
    /^open http:\/\/localhost:3000\/console and sign up; the mail .* http:\/\/localhost:3000\/mailbox\.\n +Or: .* account create /,
  )
  expect(nextSteps({ url, consoleBuild: {}, hasMailbox: false }, settings)).not.toContain('mailbox')
})

test('without a console the command is all there is', () => {
  expect(nextSteps({ url, consoleBuild: undefined, hasMailbox: true }, settings)).toMatch(
    /^.* account create --domain demo\.ramal\.localhost /,
  )
})
