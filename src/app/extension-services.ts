/** The services of extensions: their phones, numbers and what softphones are set up with. */
import type { Config } from '../config.ts'
import { createExtensions } from '../extensions/extensions.ts'
import { createIceServers } from '../extensions/ice-servers.ts'
import { createPhoneDirectory } from '../extensions/phone-directory.ts'
import { createPhones } from '../extensions/phones.ts'
import { createExtensionProfiles } from '../extensions/profiles.ts'
import { isCallerNumberOf } from '../extensions/profiles-store.ts'
import { createSetupLinks } from '../extensions/setup-links.ts'
import type { Clock } from '../kit/clock.ts'
import type { Vault } from '../kit/vault.ts'
import { createNumberAssignments } from '../numbers/number-assignments.ts'
import { createNumbers } from '../numbers/numbers.ts'
import type { Database } from '../store/database.ts'
import type { Notices } from '../store/notices.ts'
import type { Searches } from '../store/searches.ts'

type Base = {
  db: Database
  callsDb: Database
  clock: Clock
  searches: Searches
  vault: Vault
  notices: Notices
}

export function createExtensionServices(config: Config, base: Base) {
  const { db, callsDb, clock, searches, vault, notices } = base
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
  return {
    usesSandboxCarrier: acceptsSandbox,
    phones,
    numbers,
    numberAssignments: createNumberAssignments({ db, clock, numbers }),
    extensions: createExtensions({ db, clock, searches, vault, phones, profiles, numbers, acceptsSandbox }),
    profiles,
    setupLinks: createSetupLinks({ db, clock, vault }),
    iceServers: createIceServers(config.turn),
    directory: createPhoneDirectory({ db: callsDb, clock }),
  }
}

/** The calls of this process go to the sandbox carrier. */
function usesSandboxCarrier({ roles, voice }: Config): boolean {
  return roles.includes('voice') && voice.trunks.length === 0
}
