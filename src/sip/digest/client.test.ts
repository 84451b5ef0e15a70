import { describe, expect, test } from 'vitest'
import { firstValue, values } from '../message/message.ts'
import { buildRequest } from '../message/request.ts'
import { buildResponse } from '../message/response.ts'
import { parseUri } from '../uri/parse.ts'
import { digests } from './auth-header.ts'
import { createDigestClient } from './client.ts'

describe('the client', () => {
  const nonce = 'dcd98b7102dd2f0e8b11d0f600bfb0c093'
  const request = buildRequest({
    method: 'INVITE',
    uri: parseUri('sip:bob@biloxi.com'),
    headers: [],
    body: 'v=0\r\n',
  })
  const client = (known = ['biloxi.com', 'proxy.com']) =>
    createDigestClient({
      login: (asked) => (known.includes(asked) ? { username: 'bob', password: 'zanzibar' } : undefined),
      cnonce: () => '0a4f113b',
    })
  const ask = (...headers: [string, string][]) =>
    buildResponse({ method: 'INVITE', headers: [] }, 401, { headers })
  const answered = (challenge: string) =>
    firstValue(
      client().answer(request, ask(['WWW-Authenticate', challenge])) ?? { headers: [] },
      'Authorization',
    )

  test('answers without qop, with auth, and with auth-int where nothing else is offered', () => {
    expect(answered(`Digest realm="biloxi.com", nonce="${nonce}", opaque="x"`)).toBe(
      `Digest username="bob", realm="biloxi.com", nonce="${nonce}", uri="sip:bob@biloxi.com", response="bf57e4e0d0bffc0fbaedce64d59add5e", opaque="x"`,
    )
    expect(answered(`Digest realm="biloxi.com", nonce="${nonce}", qop="auth-int,auth", algorithm=md5`)).toBe(
      `Digest username="bob", realm="biloxi.com", nonce="${nonce}", uri="sip:bob@biloxi.com", response="89eb0059246c02b2f6ee02c7961d5ea3", algorithm=MD5, cnonce="0a4f113b", qop=auth, nc=00000001`,
    )
    expect(answered(`Digest realm="biloxi.com", nonce="${nonce}", qop="auth-int"`)).toContain('qop=auth-int')
    expect(answered(`Digest realm="biloxi.com", nonce="${nonce}", qop="auth-int, AUTH"`)).toContain(
      'qop=auth,',
    )
  })

  test('takes the topmost challenge of a realm that it understands', () => {
    const challenges = ['SHA-512-256', 'MD5-sess', 'SHA-256', 'MD5'].map((algorithm): [string, string] => [
      'WWW-Authenticate',
      `Digest realm="biloxi.com", nonce="n", qop="auth", algorithm=${algorithm}`,
    ])
    const answer = client().answer(request, ask(...challenges))
    expect(values(answer ?? request, 'Authorization').join()).toContain('algorithm=SHA-256')
  })

  test('answers the challenge of every realm, or none', () => {
    const both = ask(
      ['WWW-Authenticate', 'Digest realm="biloxi.com", nonce="a", qop="auth"'],
      ['Proxy-Authenticate', 'Digest realm="proxy.com", nonce="b", qop="auth"'],
    )
    const answer = client().answer(request, both)
    expect(
      answer && [digests(answer, 'Authorization').length, digests(answer, 'Proxy-Authorization').length],
    ).toEqual([1, 1])
    expect(client(['biloxi.com']).answer(request, both)).toBeUndefined()
  })

  test('replaces its stale credentials for one realm, and keeps those for others', () => {
    const one = client(['a.example', 'b.example'])
    const asked = (realm: string, nonce: string, more = '') =>
      ask(['Proxy-Authenticate', `Digest realm="${realm}", nonce="${nonce}", qop="auth"${more}`])
    const first = one.answer(request, asked('a.example', 'a1')) ?? request
    const second = one.answer(first, asked('b.example', 'b1')) ?? request
    const third = one.answer(second, asked('a.example', 'a2', ', stale=true')) ?? request
    const given = digests(third, 'Proxy-Authorization').map(({ params }) => params.get('nonce'))
    expect(given).toEqual(['b1', 'a2'])
  })

  test('has no answer to a response without a challenge', () => {
    expect(client().answer(request, ask())).toBeUndefined()
  })

  test('counts the uses of a nonce, and begins again with a new one', () => {
    const one = client()
    const counts = ['a', 'a', 'b'].map((nonce) => {
      const answer = one.answer(
        request,
        ask(['WWW-Authenticate', `Digest realm="biloxi.com", nonce="${nonce}", qop="auth"`]),
      )
      return digests(answer ?? request, 'Authorization')[0]?.params.get('nc')
    })
    expect(counts).toEqual(['00000001', '00000002', '00000001'])
  })

  test('remembers the counts of sixteen realms, the newest', () => {
    const one = createDigestClient({ login: () => ({ username: 'bob', password: 'zanzibar' }) })
    const count = (realm: string) => {
      const asked = ask(['WWW-Authenticate', `Digest realm="${realm}", nonce="a", qop="auth"`])
      return digests(one.answer(request, asked) ?? request, 'Authorization')[0]?.params.get('nc')
    }
    for (let realm = 0; realm <= 16; realm++) count(String(realm))
    expect([count('16'), count('1'), count('0')]).toEqual(['00000002', '00000002', '00000001'])
    // The other realm that 0 took the place of is 2: 1 had been asked for after it.
    expect([count('1'), count('2')]).toEqual(['00000003', '00000001'])
  })

  test('does not try a refused password again, but a stale nonce is no refusal', () => {
    const one = client()
    const first = one.answer(
      request,
      ask(['WWW-Authenticate', 'Digest realm="biloxi.com", nonce="a", qop="auth"']),
    )
    if (!first) throw new Error('not answered')
    const again = (more: string) =>
      one.answer(first, ask(['WWW-Authenticate', `Digest realm="biloxi.com", nonce="b", qop="auth"${more}`]))
    expect(again('')).toBeUndefined()
    expect(values(again(', stale=TRUE') ?? request, 'Authorization')).toHaveLength(1)
  })

  test.each([
    'Basic realm="biloxi.com"',
    'Digest realm="biloxi.com"',
    'Digest nonce="a"',
    'Digest realm="biloxi.com", nonce="a", qop="other"',
    'Digest realm="biloxi.com", nonce="a", algorithm=AKAv1-MD5',
    'Digest realm="biloxi.com, nonce="a"',
  ])('ignores a challenge it does not support: %s', (challenge) => {
    expect(answered(challenge)).toBeUndefined()
  })
})
