import { describe, expect, test } from 'vitest'
import { digests } from '../digest/auth-header.ts'
import { formatAddress, tagOf } from '../headers/address.ts'
import { contentType, cseq, maxForwards, requires } from '../headers/numbers.ts'
import { callId, contacts, from, recordRoutes, routes, to } from '../headers/parties.ts'
import { uniqueBranch, via, vias } from '../headers/via.ts'
import { firstValue, values } from '../message/message.ts'
import { parseSdp } from '../sdp/parse.ts'
import { tortureMessage } from '../testing/torture/messages.ts'
import { parseMessage } from './parse.ts'
import { createStreamParser } from './stream.ts'

const parse = (name: string) => parseMessage(tortureMessage(name))

describe('what the messages of RFC 4475 say', () => {
  test('wsinv: folds, blanks, escapes and compact forms mean nothing', () => {
    const message = parse('3.1.1.1 wsinv')
    expect(to(message)).toMatchObject({ name: undefined, uri: { user: 'vivekg' } })
    expect(tagOf(to(message))).toBe('1918181833n')
    expect(from(message).name).toBe('J Rosenberg \\"')
    expect(cseq(message)).toEqual({ number: 9, method: 'INVITE' })
    expect(maxForwards(message)).toBe(68)
    expect(vias(message).map(({ transport, host }) => `${transport} ${host}`)).toEqual([
      'UDP 192.0.2.2',
      'TCP spindle.example.com',
      'UDP 192.168.255.111',
    ])
    expect(vias(message).map(uniqueBranch)).toEqual([undefined, 'z9hG4bK9ikj8', 'z9hG4bK30239'])
    expect(firstValue(message, 'Subject')).toBe('')
    expect(firstValue(message, 'NewFangledHeader')).toBe('newfangled value continued newfangled value')
    expect(firstValue(message, 'UnknownHeaderWithUnusualValue')).toBe(';;,,;;,;')
    const [contact] = contacts(message)
    expect(contact).toMatchObject({ name: 'Quoted string ""' })
    expect(Object.fromEntries(typeof contact === 'object' ? contact.params : [])).toEqual({
      newparam: 'newvalue',
      secondparam: '',
      q: '0.33',
    })
    expect(routes(message).map(formatAddress)).toEqual([
      '<sip:services.example.com;lr;unknownwith=value;unknown-no-value>',
    ])
    expect(message.body.length).toBe(150)
  })

  test('intmeth: every sign that a token, a user and a quoted string may hold', () => {
    const message = parse('3.1.1.2 intmeth')
    expect(message).toMatchObject({
      method: "!interesting-Method0123456789_*+`.%indeed'~",
      uri: {
        user: "1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*",
        password: "&it+has=1,weird!*pas$wo~d_too.(doesn't-it)",
        host: 'example.com',
      },
    })
    expect(to(message).name).toBe('BEL:\u0007 NUL:\0 DEL:\u007f')
    expect(from(message).name).toBe("token1~` token2'+_ token3*%!.-")
    expect(from(message).params.get("fromparam''~+*_!.-%")).toBe('работающий')
    expect(callId(message)).toBe('intmeth.word%ZK-!.*_+\'@word`~)(><:\\/"][?}{')
    expect(firstValue(message, "EXTENSIONHEADER-!.%*+_`'~")).toBe('\ufeff大停電')
  })

  test('esc01, escnull, semiuri: escapes are read where they are escapes', () => {
    expect(parse('3.1.1.3 esc01')).toMatchObject({
      uri: { user: 'sips:user@example.com', host: 'example.net' },
    })
    const [contact] = contacts(parse('3.1.1.3 esc01'))
    const uri = typeof contact === 'object' ? contact.uri : undefined
    expect(uri).toMatchObject({
      user: 'caller',
      params: new Map(Object.entries({ lr: '', name: 'value%41' })),
    })
    expect(to(parse('3.1.1.4 escnull')).uri).toMatchObject({ user: 'null-\0-null' })
    expect(parse('3.1.1.9 semiuri')).toMatchObject({
      uri: { user: 'user;par=u@example.net', params: new Map() },
    })
  })

  test('esc02: and not where they are none', () => {
    const message = parse('3.1.1.5 esc02')
    expect(message).toMatchObject({ method: 'RE%47IST%45R' })
    expect(from(message).name).toBe('%Z%45')
    expect(contacts(message)).toHaveLength(2)
    expect(values(message, 'C%6Fntact')).toHaveLength(1)
  })

  test('lwsdisp, longreq, transports: names touch their brackets, lists are long, transports unknown', () => {
    expect(from(parse('3.1.1.6 lwsdisp')).name).toBe('caller')
    expect(vias(parse('3.1.1.7 longreq'))).toHaveLength(34)
    expect(vias(parse('3.1.1.10 transports')).map(({ transport }) => transport)).toContain('UNKNOWN')
  })

  test('dblreq: what follows in the datagram is ignored, and in a stream is the next message', () => {
    expect(parse('3.1.1.8 dblreq').body).toHaveLength(0)
    const events = createStreamParser().push(
      Buffer.concat([tortureMessage('3.1.1.8 dblreq'), Buffer.alloc(2, ' ')]),
    )
    expect(
      events.map((event) => (event.kind === 'message' ? cseq(event.message).method : event.kind)),
    ).toEqual(['REGISTER', 'pong', 'INVITE'])
  })

  test('mpart01: a body is bytes', () => {
    expect(parse('3.1.1.11 mpart01').body).toHaveLength(553)
    expect(parse('3.1.1.11 mpart01').body.includes(0)).toBe(true)
  })

  test('unreason, noreason: the phrase is for people', () => {
    expect(parse('3.1.1.12 unreason')).toMatchObject({
      reason: '= 2**3 * 5**2 но сто девяносто девять - простое',
    })
    expect(parse('3.1.1.13 noreason')).toMatchObject({ status: 100, reason: '' })
  })

  test('badbranch: the cookie alone is no identifier', () => {
    expect(uniqueBranch(via(parse('3.2.1 badbranch')))).toBeUndefined()
  })

  test('unkscm, novelsc, unksm2: unknown schemes are parsed; routing answers 416', () => {
    expect(parse('3.3.2 unkscm')).toMatchObject({ uri: { scheme: 'other' } })
    expect(parse('3.3.3 novelsc')).toMatchObject({
      uri: { scheme: 'other', text: 'soap.beep://192.0.2.103:3002' },
    })
    expect(to(parse('3.3.4 unksm2')).uri).toEqual({ scheme: 'other', text: 'isbn:2983792873' })
  })

  test('bext01, invut, regaut01: what the engine answers 420, 415 and 401 is in plain sight', () => {
    expect(requires(parse('3.3.5 bext01'))).toEqual(['nothingSupportsThis', 'nothingSupportsThisEither'])
    expect(contentType(parse('3.3.6 invut'))).toBe('application/unknownformat')
    expect(digests(parse('3.3.7 regaut01'), 'Authorization')).toEqual([])
  })

  test('bcast, zeromf: two Vias in a response, and no hop left', () => {
    expect(vias(parse('3.3.10 bcast'))).toHaveLength(2)
    expect(maxForwards(parse('3.3.11 zeromf'))).toBe(0)
  })

  test('cparam01, cparam02: a parameter is the header’s outside brackets and the URI’s inside', () => {
    const params = (name: string) => {
      const [contact] = contacts(parse(name))
      if (typeof contact !== 'object' || contact.uri.scheme !== 'sip') throw new Error('no contact')
      return { header: [...contact.params.keys()], uri: [...contact.uri.params.keys()] }
    }
    expect(params('3.3.12 cparam01')).toEqual({ header: ['unknownparam'], uri: [] })
    expect(params('3.3.13 cparam02')).toEqual({ header: [], uri: ['unknownparam'] })
  })

  test('regescrt, sdp01, inv2543: headers in a contact, SDP, and what the old standard left out', () => {
    expect(contacts(parse('3.3.14 regescrt'))).toMatchObject([
      { uri: { headers: [['Route', '<sip:sip.example.com>']] } },
    ])
    expect(parseSdp(parse('3.3.15 sdp01').body).media.map(({ kind }) => kind)).toEqual(['audio', 'video'])
    const old = parse('3.4.1 inv2543')
    expect([maxForwards(old), tagOf(from(old)), uniqueBranch(via(old))]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(recordRoutes(old)).toMatchObject([{ uri: { user: 'UserB' } }])
    expect(parseSdp(old.body).media).toHaveLength(1)
  })
})
