/** The second factor of a user as the outside sees it (D200, D202). */

import { bodyOf } from '../schema/body.ts'
import { Instant, nullable } from '../schema/common.ts'
import { Type } from '../schema/type.ts'

/** D202: what proves who is asking, besides the token. */
export const credentialFields = {
  currentPassword: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Your password, unless you logged in within the last 10 minutes',
      examples: ['correct horse battery'],
    }),
  ),
  code: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Of the second factor, if it is enabled: from the app, or a recovery code',
      examples: ['287082'],
    }),
  ),
}

export const Credentials = Type.Object(credentialFields, {
  $id: 'Credentials',
  examples: [{ currentPassword: 'correct horse battery' }],
  ...bodyOf('User'),
})

export const SecondFactorCode = Type.Object(
  {
    code: Type.String({ maxLength: 40, description: 'The first code of the app', examples: ['287082'] }),
  },
  { $id: 'SecondFactorCode', ...bodyOf('User') },
)

export const SecondFactor = Type.Object(
  {
    enabled: Type.Boolean({ examples: [true] }),
    enabledAt: nullable(Instant),
    recoveryCodesLeft: Type.Integer({ examples: [10] }),
  },
  { $id: 'SecondFactor' },
)

export const SecondFactorSecret = Type.Object(
  {
    secret: Type.String({
      description: 'To be typed into an authenticator app; shown only now',
      examples: ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
    }),
    otpauthUri: Type.String({
      description: 'The same as a URI: show it as a QR code',
      examples: [
        'otpauth://totp/Ramal:ana%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Ramal&algorithm=SHA1&digits=6&period=30',
      ],
    }),
  },
  { $id: 'SecondFactorSecret' },
)

export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), {
      description: 'Each works once in place of a code of the app; shown only now',
      examples: [['k3qz-7hwa-xm2d-p5ny', 'b6ta-2vre-hq4c-wj7s']],
    }),
  },
  { $id: 'RecoveryCodes' },
)
