/** Secrets of authenticator apps, sealed as they are stored, and the codes that fit them: of users and of operators. */
import type { Vault } from '../../kit/vault.ts'
import { byteColumns } from '../../store/secrets/byte-columns.ts'
import { readCode } from './recovery-codes.ts'
import { findStep, isTotpCode } from './totp.ts'

const purpose = byteColumns.second_factors.secret.purpose

/** How an authenticator app names us. */
export const issuer = 'Ramal'

export function createFactorSecrets({ vault }: { vault: Vault }) {
  return {
    seal: (secret: Buffer) => vault.seal(purpose, secret.toString('hex')),
    /** The step of a code of the app, unless it is wrong or was used. */
    stepOf(sealed: Buffer, code: string, now: Date, lastStep: number): number | undefined {
      const read = readCode(code)
      if (!isTotpCode(read)) return undefined
      return findStep(Buffer.from(vault.open(purpose, sealed), 'hex'), read, now, lastStep)
    },
  }
}
export type FactorSecrets = ReturnType<typeof createFactorSecrets>
