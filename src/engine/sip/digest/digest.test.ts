import { createSecretKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { buildRequest, type HeaderPairs } from '../message/request.ts'
import { buildResponse } from '../message/response.ts'
import { parseUri } from '../uri/parse.ts'
import { digests, parseAuthHeader } from './auth-header.ts'
import { createDigestClient } from './client.ts'
import { digestResponse } from './digest.ts'
import { createReplayGuard } from './replay.ts'
import { createDigestServer } from './server.ts'

const realm = 'acme.example'

function setUp({ nonces = 100 } = {}) {
  let now = 1_700_000_000_000
  const server = createDigestServer({
    key: createSecretKey(Buffer.alloc(32, 7)),
    clock: { now: () => new Date(now) },
    nonceSeconds: 60,
    nonces,
  })
  const client = createDigestClient({ login: () => ({ username: '1000', password: 'secret' }) })
  const request = buildRequest({ method: 'REGISTER', uri: parseUri(`sip:${realm}`), headers: [] })
  const challenge = (stale = false) =>
    challenged(server.challenges(realm, { stale }).map((value) => ['WWW-Authenticate', value]))
  const signed = (response = challenge()) => client.answer(request, response) ?? request
  const check = (from = signed(), more = {}) => {
    const [credentials = { scheme: '', params: new Map() }] = digests(from, 'Authorization')
    return server.check({ credentials, realm, method: 'REGISTER', password: 'secret', ...more })
  }
  const wait = (seconds: number) => {
    now += seconds * 1000
  }
  return { server, client, request, challenge, signed, check, wait }
}

function challenged(headers: HeaderPairs) {
  return buildResponse({ method: 'REGISTER', headers: [] }, 401, { headers })
}

describe('known answers', () => {
  const asked = { method: 'GET', uri: '/dir/index.html' }

  test('RFC 2617, 3.5', () => {
    const login = {
      algorithm: 'MD5',
      username: 'Mufasa',
      realm: 'testrealm@host.com',
      password: 'Circle Of Life',
    } as const
    const nonce = 'dcd98b7102dd2f0e8b11d0f600bfb0c093'
    const protection = { qop: 'auth', nc: '00000001', cnonce: '0a4f113b' } as const
    expect(digestResponse(login, { ...asked, nonce }, protection)).toBe('6629fae49393a05397450978507c4ef1')
    expect(digestResponse(login, { ...asked, nonce }, { qop: undefined })).toBe(
      '670fd8c2df070c60b045671b8b24ff02',
    )
  })

  test.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ] as const)('RFC 7616, 3.9.1, with %s', (algorithm, expected) => {
    const login = {
      algorithm,
      username: 'Mufasa',
      realm: 'http-auth@example.org',
      password: 'Circle of Life',
    }
    const nonce = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v'
    const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'
    expect(digestResponse(login, { ...asked, nonce }, { qop: 'auth', nc: '00000001', cnonce })).toBe(expected)
  })
})

describe('the server', () => {
  test('RFC 8760: offers SHA-256 before MD5, and takes either', () => {
    const { server, challenge, request, check } = setUp()
    const offered = digests(challenge(), 'WWW-Authenticate')
    expect(offered.map(({ params }) => params.get('algorithm'))).toEqual(['SHA-256', 'MD5'])
    const md5 = challenged([['WWW-Authenticate', server.challenges(realm)[1] ?? '']])
    const client = createDigestClient({ login: () => ({ username: '1000', password: 'secret' }) })
    expect([check(), check(client.answer(request, md5))]).toEqual(['right', 'right'])
  })

  test('rejects a wrong password, user, method or realm', () => {
    const { check, signed } = setUp()
    for (const more of [
      { password: 'other' },
      { password: undefined },
      { method: 'INVITE' },
      { realm: 'b.example' },
    ]) {
      expect(check(signed(), more)).toBe('wrong')
    }
  })

  test('does not accept an empty password for an unknown user', () => {
    const { request, challenge, check } = setUp()
    const guest = createDigestClient({ login: () => ({ username: 'nobody', password: '' }) })
    expect(check(guest.answer(request, challenge()), { password: undefined })).toBe('wrong')
  })

  test('an expired nonce is stale only if the password is right', () => {
    const { check, signed, wait } = setUp()
    const request = signed()
    wait(61)
    expect(check(request)).toBe('stale')
    expect(check(request, { password: 'other' })).toBe('wrong')
  })

  test('takes no nonce that it did not make', () => {
    const { check, signed } = setUp()
    const other = setUp().server.challenges('another.example')[0] ?? ''
    const forged = other.replace('another.example', realm)
    expect(check(signed(challenged([['WWW-Authenticate', forged]])))).toBe('wrong')
  })

  test('takes every count of a nonce once', () => {
    const { check, challenge, client, request } = setUp()
    const asked = challenge()
    const [first, second] = [client.answer(request, asked), client.answer(request, asked)]
    expect([check(second), check(second), check(first), check(first)]).toEqual([
      'right',
      'stale',
      'right',
      'stale',
    ])
  })

  test.each(['qop', 'cnonce', 'nc', 'response', 'uri', 'username', 'nonce'])(
    'refuses credentials without %s',
    (name) => {
      const { server, signed } = setUp()
      const params = new Map(digests(signed(), 'Authorization')[0]?.params)
      params.delete(name)
      const claim = {
        credentials: { scheme: 'Digest', params },
        realm,
        method: 'REGISTER',
        password: 'secret',
      }
      expect(server.check(claim)).toBe('wrong')
    },
  )
})

describe('the memory of counts', () => {
  test('is bounded, and refuses nonces it has dropped', () => {
    const guard = createReplayGuard(2)
    expect([guard.firstUse('a', 1, 1), guard.firstUse('b', 2, 1), guard.firstUse('c', 3, 1)]).toEqual([
      true,
      true,
      true,
    ])
    expect(guard.size()).toBe(2)
    expect([guard.firstUse('a', 1, 1), guard.firstUse('a', 1, 2), guard.firstUse('b', 2, 2)]).toEqual([
      false,
      false,
      true,
    ])
  })

  test('lets counts overtake each other a little', () => {
    const guard = createReplayGuard(1)
    const used = [40, 9, 10, 10, 71, 40, 41, 0, 200, 169, 168].map((count) => guard.firstUse('a', 1, count))
    expect(used).toEqual([true, true, true, false, true, false, true, false, true, true, false])
  })
})

test('a challenge is one header: its commas separate parameters', () => {
  expect(
    Object.fromEntries(parseAuthHeader('Digest realm="a, \\"b\\"",nonce = x , qop="auth,auth-int"').params),
  ).toEqual({
    realm: 'a, "b"',
    nonce: 'x',
    qop: 'auth,auth-int',
  })
})
