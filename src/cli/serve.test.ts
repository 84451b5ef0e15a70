import { expect, test } from 'vitest'
import { nextSteps } from './serve.ts'

const settings = { accountDomainSuffix: '.ramal.localhost' }

test('after the start the console comes first, with the mailbox where mails are kept, and then the command', () => {
  expect(nextSteps({ consoleBuild: {}, hasMailbox: true }, settings)).toMatch(
    /^open the console and sign up; the mail .* mailbox\.\n +Or: .* account create /,
  )
  expect(nextSteps({ consoleBuild: {}, hasMailbox: false }, settings)).not.toContain('mailbox')
})

test('without a console the command is all there is', () => {
  expect(nextSteps({ consoleBuild: undefined, hasMailbox: true }, settings)).toMatch(
    /^.* account create --domain demo\.ramal\.localhost /,
  )
})
