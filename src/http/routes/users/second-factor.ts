/** The second factor of the user who is asking (D200: additions). */
import {
  Credentials,
  RecoveryCodes,
  SecondFactor,
  SecondFactorCode,
  SecondFactorSecret,
} from '../../../contract/accounts/second-factor.ts'
import type { SecondFactors } from '../../../users/second-factor/second-factors.ts'
import { type AnyEntry, entry } from '../../entry.ts'

const tag = 'Users'
const path = '/users/me/second-factor'

/** Errors of a route that asks for the password again. */
const credentialErrors = ['REAUTHENTICATION_REQUIRED', 'INVALID_PASSWORD', 'INVALID_CODE'] as const

export function secondFactorRoutes({ secondFactors }: { secondFactors: SecondFactors }): AnyEntry[] {
  async function show(caller: Parameters<SecondFactors['show']>[0]) {
    const { enabled, enabledAt, codesLeft } = await secondFactors.show(caller)
    return { enabled, enabledAt: enabledAt?.toISOString() ?? null, recoveryCodesLeft: codesLeft }
  }

  return [
    entry({
      method: 'GET',
      path,
      tag,
      about: 'Show whether your second factor is enabled',
      may: 'users.read-own',
      scope: 'admin',
      limit: 'other',
      reply: SecondFactor,
      run: async ({ caller }) => await show(caller),
    }),
    entry({
      method: 'POST',
      path,
      tag,
      about: 'Begin a second factor: get the secret for an authenticator app',
      notes: 'TOTP: SHA-1, 6 digits, 30 seconds. It is enabled by its first code, within 30 minutes.',
      may: 'users.update-own',
      scope: 'admin',
      limit: 'other',
      body: Credentials,
      bodyOptional: true,
      reply: SecondFactorSecret,
      errors: [...credentialErrors, 'SECOND_FACTOR_ENABLED'],
      run: async ({ caller, body: { currentPassword, code } }) =>
        await secondFactors.begin(caller, { password: currentPassword, code }),
    }),
    entry({
      method: 'POST',
      path: `${path}/enable`,
      tag,
      about: 'Enable the second factor by its first code; get ten recovery codes',
      may: 'users.update-own',
      scope: 'admin',
      limit: 'other',
      body: SecondFactorCode,
      reply: RecoveryCodes,
      errors: ['INVALID_CODE', 'SECOND_FACTOR_NOT_BEGUN', 'SECOND_FACTOR_ENABLED'],
      run: async ({ caller, body: { code } }) => ({
        recoveryCodes: await secondFactors.enable(caller, code),
      }),
    }),
    entry({
      method: 'POST',
      path: `${path}/recovery-codes`,
      tag,
      about: 'Get ten new recovery codes; the earlier ones stop working',
      may: 'users.update-own',
      scope: 'admin',
      limit: 'other',
      body: Credentials,
      bodyOptional: true,
      reply: RecoveryCodes,
      errors: [...credentialErrors, 'SECOND_FACTOR_NOT_ENABLED'],
      run: async ({ caller, body: { currentPassword, code } }) => ({
        recoveryCodes: await secondFactors.renewCodes(caller, { password: currentPassword, code }),
      }),
    }),
    entry({
      method: 'POST',
      path: `${path}/disable`,
      tag,
      about: 'Disable the second factor',
      may: 'users.update-own',
      scope: 'admin',
      limit: 'other',
      body: Credentials,
      bodyOptional: true,
      reply: SecondFactor,
      errors: [...credentialErrors, 'SECOND_FACTOR_NOT_ENABLED'],
      async run({ caller, body: { currentPassword, code } }) {
        await secondFactors.disable(caller, { password: currentPassword, code })
        return await show(caller)
      },
    }),
  ]
}
