/** Converts between the number formats of carriers and ours, E.164 without plus. */
import { readPhone } from '../../../kit/text/phone.ts'
import type { NumberFormat } from '../../trunk-settings/trunk-settings.ts'

/**
 * National: as dialled within Brazil without a carrier selection code. 0, area and number; 00 and the whole number for
 * other countries.
 */
export function writeCarrierNumber(number: string, format: NumberFormat): string {
  if (!isPublic(number)) return number
  if (format === 'e164-plus') return `+${number}`
  if (format === 'e164') return number
  return number.startsWith('55') ? `0${number.slice(2)}` : `00${number}`
}

/** A short code or an extension is written unchanged. */
const isPublic = (number: string) => /^\d{8,15}$/.test(number)

/** The number a carrier wrote, in E.164 without plus; unchanged if it cannot be parsed. */
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

/** Brazilian numbers may come without 55, and with the trunk prefix 0 before the area. */
const withoutTrunkZero = (digits: string) => (/^0[1-9]/.test(digits) ? digits.slice(1) : digits)
