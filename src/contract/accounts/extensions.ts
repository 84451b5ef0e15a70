/** Extensions as the outside sees them (spec §2.4, §4.5). */

import { bodyOf, expects } from '../schema/body.ts'
import { Instant, nullable, optionalId } from '../schema/common.ts'
import { type Static, Type } from '../schema/type.ts'

/** D70: the number of an extension. */
export const extensionNumber = /^[0-9]{2,6}$/

const ramal = Type.String({
  pattern: extensionNumber.source,
  description: 'The number of the extension: 2 to 6 digits',
  examples: ['1000'],
  ...expects({ en: 'must be 2 to 6 digits', pt: 'deve ter de 2 a 6 dígitos' }),
})
/** Control and invisible characters, without a Unicode class: tools in Python read the patterns of our description, too. */
const unprintable =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff'

/** D73: the password of a phone. */
const senha = Type.String({
  pattern: `^[^${unprintable}]{8,64}$`,
  description: 'The password of the softphone: 8 to 64 printable characters',
  examples: ['s3nha-do-ramal'],
  ...expects({
    en: 'must be 8 to 64 characters, no control characters',
    pt: 'deve ter de 8 a 64 caracteres, sem caracteres de controle',
  }),
})
const bina = Type.String({
  maxLength: 40,
  description: 'The caller-ID number shown to those who are called',
  examples: ['+55 48 3333-4444'],
})
const name = Type.String({ minLength: 1, maxLength: 120, examples: ['Ana'] })
const email_address = Type.String({ maxLength: 254, examples: ['ana@example.com'] })

/** D72: a number, as the contract says, or a boolean, as one of its examples shows. */
const gravar_audio = Type.Optional(
  Type.Unsafe<0 | 1 | boolean>({
    enum: [0, 1, true, false],
    description: 'Whether calls are recorded; 0 unless said',
    examples: [1],
  }),
)
const person = { first_name: name, last_name: name, email_address, gravar_audio }

export const Extension = Type.Object(
  {
    id: Type.Integer(),
    domain: Type.String({ examples: ['aurora.ramal.localhost'] }),
    ramal,
    senha: nullable(senha),
    bina: nullable(bina),
    bina_verified: Type.Boolean({
      description:
        'Whether bina is a verified number of the account (see Numbers). Until it is, those who are called see the number of the carrier line',
    }),
    first_name: name,
    last_name: name,
    email_address,
    user_uuid: nullable(
      Type.String({
        format: 'uuid',
        description: 'The user it belongs to: who had email_address when the extension was written',
        examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'],
      }),
    ),
    gravar_audio: Type.Enum([0, 1]),
    registered: Type.Boolean({ description: 'Whether a softphone is registered now' }),
    registered_at: nullable(Instant),
    user_agent: nullable(
      Type.String({ description: 'What the softphone calls itself', examples: ['Linphone'] }),
    ),
  },
  { $id: 'Extension' },
)

const optionalBina = Type.Optional(nullable(bina))

export const NewExtension = Type.Object(
  { ramal, senha, bina: optionalBina, ...person },
  { $id: 'NewExtension', ...bodyOf('Extension', { record: Extension }) },
)

export const NextExtension = Type.Object(
  { senha, bina: optionalBina, ...person },
  { $id: 'NextExtension', ...bodyOf('Extension', { record: Extension }) },
)

const do_not_disturb = Type.Boolean({ description: 'Whether calls to the extension are refused as busy' })

/** D674: what an extension does now. */
export const ExtensionPresence = Type.Object(
  {
    id: Extension.properties.id,
    ramal,
    first_name: name,
    last_name: name,
    presence: Type.Enum(['free', 'ringing', 'in-call', 'do-not-disturb', 'offline'], {
      description: 'offline: no phone is registered',
      examples: ['free'],
    }),
    do_not_disturb,
  },
  { $id: 'ExtensionPresence' },
)
export type Presence = Static<typeof ExtensionPresence>['presence']

/** D675 */
export const DoNotDisturb = Type.Object({ do_not_disturb }, { $id: 'DoNotDisturb', ...bodyOf('Extension') })

/** D312: what the phone of a browser registers with. */
export const PhoneCredential = Type.Object(
  {
    username: Type.String({ description: 'Of digest authentication', examples: ['1000.1795000900'] }),
    password: Type.String({
      description: 'Works until `expires`, and ends with the password of the extension',
      examples: ['q0xkKzV7w2mXb5d9T3sYh8uJr1nLc4pE6vGf0aBiQeM'],
    }),
    domain: Type.String({ examples: ['aurora.ramal.localhost'] }),
    expires: Instant,
  },
  { $id: 'PhoneCredential' },
)

/** D74: with an id, changes the fields that are sent; without one, creates an extension. */
export const ExtensionPatch = Type.Object(
  {
    id: optionalId,
    ramal: Type.Optional(ramal),
    senha: Type.Optional(senha),
    bina: optionalBina,
    first_name: Type.Optional(name),
    last_name: Type.Optional(name),
    email_address: Type.Optional(email_address),
    gravar_audio,
  },
  { $id: 'ExtensionPatch', ...bodyOf('Extension', { record: Extension }) },
)

const transports = ['udp', 'tcp', 'tls', 'ws', 'wss'] as const

/** D328: for a softphone that fetches its settings. */
export const SetupLink = Type.Object(
  {
    app: Type.Enum(['linphone']),
    url: Type.String({
      description: 'Answers the settings once, with senha in them',
      examples: ['https://voz.example/api/v1/phone-setup/8Jq0b3v5x7Z1c2d4f6g8h0k2m4n6p8r0'],
    }),
    expires: Instant,
    svg: Type.String({ description: 'The same as a QR code', examples: ['<svg/>'] }),
  },
  { $id: 'SetupLink' },
)

/** D300: what a phone is set up with. */
export const PhoneSetup = Type.Object(
  {
    domain: Extension.properties.domain,
    username: ramal,
    displayName: Type.String({ examples: ['Ana Souza'] }),
    servers: Type.Array(
      Type.Object({
        transport: Type.Enum([...transports]),
        host: Type.String({ examples: ['192.0.2.10'] }),
        port: Type.Integer({ examples: [5060] }),
        address: Type.String({ examples: ['sip:192.0.2.10:5060;transport=udp'] }),
      }),
      {
        description:
          'Where phones reach the service, of every node that is active; the first is the usual one',
      },
    ),
    qrCodes: Type.Array(
      Type.Object({
        app: Type.Enum(['grandstream']),
        payload: Type.String({
          description: 'What the code says, with senha in it',
          examples: ['<AccountConfig/>'],
        }),
        svg: Type.String({ examples: ['<svg/>'] }),
      }),
      { description: 'Empty unless you may see senha and a server is there' },
    ),
  },
  { $id: 'PhoneSetup' },
)
