/** Converts between the number formats of carriers and ours, E.164 without plus. */
import { readPhone } from '../../../kit/phone.ts'
import type { NumberFormat } from '../../trunk-settings/trunk-settings.ts'

/**
 * National is as dialled within Brazil without choosing a carrier: 0, area and number; 00 and all of it for abroad.
 */
export function writeCarrierNumber(number: string, format: NumberFormat): string {
  if (!isPublic(number)) return number
  if (format === 'e164-plus') return `+${number}`
  if (format === 'e164') return number
  return number.startsWith('55') ? `0${number.slice(2)}` : `00${number}`
}

/** A short code or an extension is written as it is. */
const isPublic = (number: string) => /^\d{8,15}$/.test(number)

/** What a carrier wrote, in E.164 without plus; as it came where that cannot be told. */
export function readCarrierNumber(text: string, format: NumberFormat): string {
  const digits = text.replace(/[\s().-]/g, '')
  if (digits.startsWith('+')) return readPhone(digits) ?? digits.slice(1)
  const readings =
    format === 'national'
      ? [abroad(digits), withoutTrunkZero(digits)]
      : [`+${digits}`, withoutTrunkZero(digits)]
  for (const reading of readings) {
    const number = reading && readPhone(reading)
    if (number) return number
  }
  return digits
}

const abroad = (digits: string) => (digits.startsWith('00') ? `+${digits.slice(2)}` : undefined)

/** Brazilian numbers without 55 are read as such; the 0 before the area is the exchange's. */
const withoutTrunkZero = (digits: string) => (/^0[1-9]/.test(digits) ? digits.slice(1) : digits)
