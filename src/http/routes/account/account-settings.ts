/** What an account sets for itself (D325). */

import type { AccountSettingsService, AccountSettings as Found } from '../../../accounts/account-settings.ts'
import { AccountSettings, AccountSettingsPatch } from '../../../contract/accounts/accounts.ts'
import type { Type } from '../../../contract/schema/type.ts'
import { toReais } from '../../../kit/text/money.ts'
import { type AnyEntry, entry } from '../../entry.ts'

const tag = 'Account'

export function accountSettingsRoutes({ settings }: { settings: AccountSettingsService }): AnyEntry[] {
  return [
    entry({
      method: 'GET',
      path: '/accounts/settings',
      tag,
      about: 'Show the settings of the account',
      may: 'accounts.read',
      scope: 'admin',
      limit: 'other',
      reply: AccountSettings,
      run: async ({ caller }) => present(await settings.read(caller)),
    }),
    entry({
      method: 'PATCH',
      path: '/accounts/settings',
      tag,
      about: 'Change settings of the account',
      notes:
        'Null for `recordingDays` and `lowBalance` is the default of the service, for `bina` it is none.',
      may: 'accounts.update',
      scope: 'admin',
      limit: 'other',
      body: AccountSettingsPatch,
      reply: AccountSettings,
      run: async ({ caller, body }) => present(await settings.update(caller, body)),
    }),
  ]
}

function present({ callerNumber, lowBalance, ...found }: Found): Type.Static<typeof AccountSettings> {
  return { ...found, bina: callerNumber, lowBalance: toReais(lowBalance) }
}
