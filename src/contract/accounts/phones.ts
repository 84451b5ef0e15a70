/** What web phones need besides their extension: our addition to the contract (D291). */
import { Type } from '../schema/type.ts'

export const IceServers = Type.Object(
  {
    iceServers: Type.Array(
      Type.Object({
        urls: Type.Array(Type.String()),
        username: Type.Optional(Type.String()),
        credential: Type.Optional(Type.String()),
      }),
      { description: 'As RTCPeerConnection takes them; empty unless the operator has set up TURN servers' },
    ),
    ttl: Type.Integer({ description: 'Seconds for which the credentials are valid' }),
  },
  {
    $id: 'IceServers',
    examples: [
      {
        iceServers: [
          {
            urls: ['turn:turn.example.com:3478?transport=tcp'],
            username: '1763251200:3f1c7f6e-7c1a-4f5e-9d6c-0c8a2b8f7a11',
            credential: 'n7Wn0rX4lq0Vf1f1Yv2mVJ6rE8Q=',
          },
        ],
        ttl: 18_000,
      },
    ],
  },
)
