import { expect, test } from 'vitest'
import { parseSdp } from './parse.ts'

test('D474: lines of SDP are bounded, as splitting a long one costs the more the longer it is', () => {
  const withName = (name: string) =>
    ['v=0', `o=${name} 1 1 IN IP4 192.0.2.1`, 's=-', 'c=IN IP4 192.0.2.1', 't=0 0'].join('\r\n')
  expect(parseSdp(withName('a '.repeat(400))).origin.sessionId).toBe('1')
  expect(() => parseSdp(withName('a '.repeat(600)))).toThrow('Line of SDP too long')
})
