import { createHash, createSecretKey } from 'node:crypto'
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

const address = '198.51.100.7'

function setUp({ nonces = 100, node = 'a' } = {}) {
  let now = 1_700_000_000_000
  const server = createDigestServer({
    key: createSecretKey(Buffer.alloc(32, 7)),
    clock: { now: () => new Date(now) },
    nonceSeconds: 60,
    nonces,
    node,
  })
  const client = createDigestClient({ login: () => ({ username: '1000', password: 'secret' }) })
  const request = asked('REGISTER', `sip:${realm}`)
  const challenge = (stale = false) =>
    challenged(
      server.challenges(realm, { request, address }, { stale }).map((value) => ['WWW-Authenticate', value]),
    )
  const signed = (response = challenge()) => client.answer(request, response) ?? request
  const check = (from = signed(), more = {}) => {
    const [credentials = { scheme: '', params: new Map() }] = digests(from, 'Authorization')
    return server.check({ credentials, realm, request, address, password: 'secret', ...more })
  }
  const wait = (seconds: number) => {
    now += seconds * 1000
  }
  return { server, client, request, challenge, signed, check, wait }
}

let sequence = 0

function asked(method: string, uri: string) {
  sequence += 1
  return buildRequest({
    method,
    uri: parseUri(uri),
    headers: [
      ['Via', `SIP/2.0/UDP 198.51.100.7;branch=z9hG4bK${sequence}`],
      ['Call-ID', `${sequence}`],
      ['CSeq', `${sequence} ${method}`],
    ],
  })
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

describe('auth-int', () => {
  const login = { algorithm: 'MD5', username: 'bob', realm: 'biloxi.com', password: 'zanzibar' } as const
  const asked = { method: 'INVITE', uri: 'sip:bob@biloxi.com', nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093' }
  const signed = (body: string) =>
    digestResponse(login, asked, {
      qop: 'auth-int',
      nc: '00000001',
      cnonce: '0a4f113b',
      body: Buffer.from(body),
    })
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')

  test('RFC 7616, 3.4.3: covers the body by its hash', () => {
    const who = md5('bob:biloxi.com:zanzibar')
    const what = md5(`INVITE:sip:bob@biloxi.com:${md5('v=0\r\n')}`)
    expect(signed('v=0\r\n')).toBe(md5(`${who}:${asked.nonce}:00000001:0a4f113b:auth-int:${what}`))
    expect(signed('v=1\r\n')).not.toBe(signed('v=0\r\n'))
  })
})

describe('the server', () => {
  test('RFC 8760: offers SHA-256 before MD5, and takes either', () => {
    const { server, challenge, request, check } = setUp()
    const offered = digests(challenge(), 'WWW-Authenticate')
    expect(offered.map(({ params }) => params.get('algorithm'))).toEqual(['SHA-256', 'MD5'])
    const md5 = challenged([
      [
        'WWW-Authenticate',
        server.challenges(realm, { request: asked('REGISTER', 'sip:a'), address })[1] ?? '',
      ],
    ])
    const client = createDigestClient({ login: () => ({ username: '1000', password: 'secret' }) })
    expect([check(), check(client.answer(request, md5))]).toEqual(['right', 'right'])
  })

  test('rejects a wrong password, user or method', () => {
    const { check, signed } = setUp()
    for (const more of [
      { password: 'other' },
      { password: undefined },
      { request: asked('INVITE', `sip:${realm}`) },
    ]) {
      expect(check(signed(), more)).toBe('wrong')
    }
  })

  test('D178: a nonce is stale in another realm, at another address, and at another process', () => {
    const { check, signed } = setUp()
    expect(check(signed(), { realm: 'b.example' })).toBe('stale')
    expect(check(signed(), { address: '203.0.113.9' })).toBe('stale')
    expect(setUp({ node: 'b' }).check(signed())).toBe('stale')
    expect(check(signed())).toBe('right')
  })

  test('D179: a retransmitted request gets the same challenge for a moment, another request another one', () => {
    const { server, request, wait } = setUp()
    const first = server.challenges(realm, { request, address })
    expect(server.challenges(realm, { request, address })).toEqual(first)
    expect(server.challenges(realm, { request: asked('REGISTER', `sip:${realm}`), address })).not.toEqual(
      first,
    )
    wait(5)
    expect(server.challenges(realm, { request, address })).not.toEqual(first)
  })

  test.each([
    ['sip:5548999998888@acme.example', 'right'],
    ['sip:5548999998888@192.0.2.1:5060;transport=tcp', 'right'],
    ['sips:5548999998888;phone-context=x@acme.example', 'right'],
    ['sip:%35548999998888@acme.example', 'right'],
    ['tel:5548999998888', 'right'],
    ['sip:900442012345678@acme.example', 'wrong'],
    ['sip:acme.example', 'wrong'],
    ['nonsense', 'wrong'],
  ])('D180: an INVITE to 5548999998888 that was signed for %s is %s', (signedUri, verdict) => {
    const { server, challenge } = setUp()
    const request = asked('INVITE', 'sip:5548999998888@acme.example')
    const nonce = digests(challenge(), 'WWW-Authenticate')[0]?.params.get('nonce') ?? ''
    const login = { algorithm: 'MD5', username: '1000', realm, password: 'secret' } as const
    const protection = { qop: 'auth', cnonce: 'c', nc: '00000001' } as const
    const response = digestResponse(login, { method: 'INVITE', uri: signedUri, nonce }, protection)
    const params = { username: '1000', realm, nonce, uri: signedUri, response, ...protection }
    const credentials = { scheme: 'Digest', params: new Map(Object.entries(params)) }
    expect(server.check({ credentials, realm, request, address, password: 'secret' })).toBe(verdict)
  })

  test('does not accept an empty password for an unknown user', () => {
    const { request, challenge, check } = setUp()
    const guest = createDigestClient({ login: () => ({ username: 'nobody', password: '' }) })
    expect(check(guest.answer(request, challenge()), { password: undefined })).toBe('wrong')
  })

  test('a nonce is current for as long as it may be used', () => {
    const { server, signed, check, wait } = setUp()
    const request = signed()
    const [credentials] = digests(request, 'Authorization')
    if (!credentials) throw new Error('not signed')
    wait(55)
    expect(server.isCurrent(credentials, realm, address)).toBe(true)
    expect(server.isCurrent(credentials, 'b.example', address)).toBe(false)
    expect(check(request)).toBe('right')
    wait(6)
    expect(server.isCurrent(credentials, realm, address)).toBe(false)
  })

  test('a nonce may be used at once, and until its last second, whenever it is made', () => {
    const { check, signed, wait } = setUp()
    const first = signed()
    wait(60)
    expect(check(first)).toBe('right')
    wait(1)
    expect(check(signed())).toBe('right')
  })

  test('a nonce of the future is stale: the clock was set back', () => {
    const { check, signed, wait } = setUp()
    const request = signed()
    wait(-10)
    expect(check(request)).toBe('stale')
  })

  test('refuses an algorithm that it does not offer', () => {
    const { challenge, request } = setUp()
    const strict = createDigestServer({
      key: createSecretKey(Buffer.alloc(32, 7)),
      clock: { now: () => new Date(1_700_000_000_000) },
      nonceSeconds: 60,
      nonces: 100,
      node: 'a',
      algorithms: ['SHA-256'],
    })
    const nonce = digests(challenge(), 'WWW-Authenticate')[0]?.params.get('nonce') ?? ''
    const verdicts = (['MD5', 'SHA-256', undefined] as const).map((algorithm) => {
      const uri = `sip:${realm}`
      const protection = { qop: 'auth', cnonce: 'c', nc: '00000001' } as const
      const login = { algorithm: algorithm ?? 'MD5', username: '1000', realm, password: 'secret' }
      const response = digestResponse(login, { method: 'REGISTER', uri, nonce }, protection)
      const given = { username: '1000', realm, nonce, uri, response, ...protection }
      const params = new Map(Object.entries({ ...given, ...(algorithm && { algorithm }) }))
      const credentials = { scheme: 'Digest', params }
      return strict.check({ credentials, realm, request, address, password: 'secret' })
    })
    expect(verdicts).toEqual(['wrong', 'right', 'wrong'])
  })

  test.each(['1', '000000001', '0000000g', ' 00000001'])('refuses the nonce count %j', (nc) => {
    const { server, challenge, request } = setUp()
    const nonce = digests(challenge(), 'WWW-Authenticate')[0]?.params.get('nonce') ?? ''
    const uri = `sip:${realm}`
    const protection = { qop: 'auth', cnonce: 'c', nc } as const
    const login = { algorithm: 'MD5', username: '1000', realm, password: 'secret' } as const
    const response = digestResponse(login, { method: 'REGISTER', uri, nonce }, protection)
    const params = new Map(Object.entries({ username: '1000', realm, nonce, uri, response, ...protection }))
    const credentials = { scheme: 'Digest', params }
    expect(server.check({ credentials, realm, request, address, password: 'secret' })).toBe('wrong')
  })

  test('refuses credentials for another realm, though the nonce is of this one', () => {
    const { check, signed } = setUp()
    const params = new Map(digests(signed(), 'Authorization')[0]?.params).set('realm', 'b.example')
    expect(check(undefined, { credentials: { scheme: 'Digest', params } })).toBe('wrong')
  })

  test('a challenge says that the nonce was stale only if it was', () => {
    const { challenge } = setUp()
    const staleOf = (response: ReturnType<typeof challenge>) =>
      digests(response, 'WWW-Authenticate').map(({ params }) => params.get('stale'))
    expect([staleOf(challenge()), staleOf(challenge(true))]).toEqual([
      [undefined, undefined],
      ['true', 'true'],
    ])
  })

  test('an expired nonce is stale, whatever the password', () => {
    const { check, signed, wait } = setUp()
    const request = signed()
    wait(61)
    expect(check(request)).toBe('stale')
    expect(check(request, { password: 'other' })).toBe('stale')
  })

  test.each(['nonsense', 'x{nonce}', '{nonce}x', ''])('takes no nonce that is written as %j', (form) => {
    const { check, signed } = setUp()
    const params = new Map(digests(signed(), 'Authorization')[0]?.params)
    params.set('nonce', form.replace('{nonce}', params.get('nonce') ?? ''))
    expect(check(undefined, { credentials: { scheme: 'Digest', params } })).toBe('stale')
  })

  test('D180: a REGISTER names no number, so its URI may name another user than the signed one', () => {
    const { client, challenge, check } = setUp()
    const request = asked('REGISTER', `sip:1000@${realm}`)
    expect(check(client.answer(request, challenge()) ?? request)).toBe('right')
  })

  test('takes no nonce that it did not make', () => {
    const { check, signed, request } = setUp()
    const other = setUp().server.challenges('another.example', { request, address })[0] ?? ''
    const forged = other.replace('another.example', realm)
    expect(check(signed(challenged([['WWW-Authenticate', forged]])))).toBe('stale')
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

  test('refuses an empty cnonce, though the response is right for it', () => {
    const { challenge, check } = setUp()
    const guest = createDigestClient({
      login: () => ({ username: '1000', password: 'secret' }),
      cnonce: () => '',
    })
    const request = asked('REGISTER', `sip:${realm}`)
    expect(check(guest.answer(request, challenge()) ?? request)).toBe('wrong')
  })

  test.each(['qop', 'cnonce', 'nc', 'response', 'uri', 'username'])(
    'refuses credentials without %s',
    (name) => {
      const { check, signed } = setUp()
      const params = new Map(digests(signed(), 'Authorization')[0]?.params)
      params.delete(name)
      expect(check(undefined, { credentials: { scheme: 'Digest', params } })).toBe('wrong')
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

  test('takes no count below 1, of a new nonce and of a known one', () => {
    const guard = createReplayGuard(2)
    expect([guard.firstUse('a', 1, 0), guard.firstUse('a', 1, 1), guard.firstUse('a', 1, 0)]).toEqual([
      false,
      true,
      false,
    ])
  })

  test('takes no count that is a whole word below the highest one', () => {
    const guard = createReplayGuard(1)
    // 1 << 33 is 1 << 1: without the window count 67 would be the bit of count 99.
    expect([100, 67, 68, 69].map((count) => guard.firstUse('a', 1, count))).toEqual([
      true,
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

test('credentials of another scheme, without one, or with a parameter twice are skipped', () => {
  const given = [
    'Digest a=1',
    'digest a=2',
    'Basic a=3',
    'Digest',
    ' a=4',
    '"a" a=5',
    'Digest a=6, A=7',
    'Digest =8',
  ]
  const message = { headers: given.map((value) => ({ name: 'Authorization', value })) }
  expect(digests(message, 'Authorization').map(({ params }) => Object.fromEntries(params))).toEqual([
    { a: '1' },
    { a: '2' },
    {},
  ])
})
