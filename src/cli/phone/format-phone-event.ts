/** Formats the events of a phone: as text for a terminal, as JSON for a program. */
import type { AudioReport } from '../../engine/endpoint/audio/rtp-analyser.ts'
import type { PhoneEvent } from '../../engine/endpoint/softphone/softphone.ts'
import type { PhoneOptions } from './phone-options.ts'

type Named = Pick<PhoneOptions, 'extension' | 'domain' | 'server' | 'answer'>

export function formatAsText(event: PhoneEvent, { extension, domain, server, answer }: Named): string {
  if (event.type === 'registered') {
    return `registered as ${extension}@${domain} at ${server.address}:${server.port}, for ${event.seconds} s`
  }
  if (event.type === 'registrationFailed') return formatRegistration(event)
  if (event.type === 'incoming') {
    const who = event.name ? `${event.name} (${event.number})` : event.number
    return `call from ${who}${answer === 'ask' ? ': a answers, r refuses' : ''}`
  }
  if (event.type === 'progress') return event.status === 180 ? 'it rings' : `on its way (${event.status})`
  if (event.type === 'answered') return 'answered'
  if (event.type === 'digit') return `heard the key ${event.digit}`
  return `over: ${event.why}${event.status === undefined ? '' : ` (${event.status})`}${event.heard ? `; ${formatAudioReport(event.heard)}` : ''}`
}

function formatRegistration(event: Extract<PhoneEvent, { type: 'registrationFailed' }>): string {
  const again = event.retrySeconds === undefined ? '' : `, tried again in ${event.retrySeconds} s`
  if (event.status === undefined) return `the server does not answer${again}`
  if (event.status === 401 || event.status === 407) {
    return 'the server refuses the password: check --extension, --domain and --password'
  }
  if (event.status === 403) return `the server refuses us (403 ${event.reason}): is another phone registered?`
  return `registering failed: ${event.status} ${event.reason}${again}`
}

export function formatAudioReport({ seconds, soundSeconds, level, tone, lost, digits }: AudioReport): string {
  if (seconds === 0) return 'nothing was heard'
  const parts = [`heard ${seconds.toFixed(1)} s`]
  if (level === undefined) parts.push('all of it silence')
  else parts.push(`${soundSeconds.toFixed(1)} s of it sound at ${level.toFixed(1)} dB`)
  if (tone) parts.push(`mostly ${tone.hertz} Hz`)
  if (lost > 0) parts.push(`${lost} packets lost`)
  if (digits !== '') parts.push(`keys ${digits}`)
  return parts.join(', ')
}

export function formatAsJson(event: PhoneEvent, at: Date): string {
  return JSON.stringify({ at: at.toISOString(), ...event })
}
