/** The services of extensions: their phones, numbers and what softphones are set up with. */
import type { Config } from '../../config.ts'
import { createDoNotDisturb } from '../../extensions/do-not-disturb.ts'
import { createExtensions } from '../../extensions/extensions.ts'
import { createAccountPhones } from '../../extensions/phones/account-phones.ts'
import { createIceServers } from '../../extensions/phones/ice-servers.ts'
import { createPhoneAddresses } from '../../extensions/phones/phone-addresses.ts'
import { createPhoneDirectory } from '../../extensions/phones/phone-directory.ts'
import { createPhones } from '../../extensions/phones/phones.ts'
import { createSetupLinks } from '../../extensions/phones/setup-links.ts'
import { createUserPhones } from '../../extensions/phones/user-phones.ts'
import { createExtensionProfiles } from '../../extensions/profiles.ts'
import { isCallerNumberOf } from '../../extensions/profiles-store.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Vault } from '../../kit/vault.ts'
import { createNumberAssignments } from '../../numbers/number-assignments.ts'
import { createNumbers } from '../../numbers/numbers.ts'
import type { Database } from '../../store/database.ts'
import type { Notices } from '../../store/notices/notices.ts'
import type { Searches } from '../../store/searches.ts'

type Base = {
  db: Database
  callsDb: Database
  clock: Clock
  searches: Searches
  vault: Vault
  notices: Notices
  onError: (error: unknown) => void
}

export function createExtensionServices(config: Config, base: Base) {
  const { db, callsDb, clock, searches, vault, notices, onError } = base
  const acceptsSandbox = usesSandboxCarrier(config)
  const phones = createPhones({ db: callsDb, clock, vault, notices })
  const profiles = createExtensionProfiles({ db: callsDb, clock, notices, acceptsSandbox })
  const numbers = createNumbers({
    db,
    clock,
    searches,
    acceptsSandbox,
    isCallerNumber: isCallerNumberOf,
    onChanged: profiles.changed,
  })
  const extensions = createExtensions({
    db,
    clock,
    searches,
    vault,
    phones,
    profiles,
    numbers,
    acceptsSandbox,
  })
  return {
    usesSandboxCarrier: acceptsSandbox,
    phones,
    phoneAddresses: createPhoneAddresses({ db: callsDb, onError }),
    numbers,
    numberAssignments: createNumberAssignments({ db, clock, numbers }),
    extensions,
    doNotDisturb: createDoNotDisturb({ db, clock, extensions, profiles }),
    profiles,
    userPhones: createUserPhones({ clock, vault, phones }),
    accountPhones: createAccountPhones({ clock, phones, profiles }),
    setupLinks: createSetupLinks({ db, clock, vault }),
    iceServers: createIceServers(config.turn),
    directory: createPhoneDirectory({ db: callsDb, clock }),
  }
}

/** The calls of this process go to the sandbox carrier. */
function usesSandboxCarrier({ roles, voice }: Config): boolean {
  return roles.includes('voice') && voice.usesSandbox
}
