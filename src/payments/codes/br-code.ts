/** The text of a PIX QR code (Banco Central's BR Code): items of id, length and value, and a checksum. */
import { type Centavos, writeCentavos } from '../../kit/text/money.ts'

type BrCode = {
  key: string
  /** Cut to 25 characters, without accents. */
  receiver: string
  /** Cut to 15 characters, without accents. */
  city: string
  amount?: Centavos
  /** Letters and digits, at most 25. */
  txid?: string
}

export function brCode({ key, receiver, city, amount, txid = '***' }: BrCode): string {
  const text = [
    item('00', '01'),
    item('26', item('00', 'br.gov.bcb.pix') + item('01', key)),
    item('52', '0000'),
    item('53', '986'),
    amount === undefined ? '' : item('54', writeCentavos(amount)),
    item('58', 'BR'),
    item('59', plain(receiver, 25)),
    item('60', plain(city, 15)),
    item('62', item('05', txid)),
    // The checksum covers its own id and length.
    '6304',
  ].join('')
  return text + checksum(text)
}

function item(id: string, value: string): string {
  if (value.length === 0 || value.length > 99) throw new RangeError(`BR Code item ${id} does not fit`)
  return `${id}${String(value.length).padStart(2, '0')}${value}`
}

/** ASCII only: readers disagree on the length of other characters. */
function plain(text: string, maxLength: number): string {
  return text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, maxLength)
    .trim()
}

/** CRC-16/CCITT-FALSE. */
export function checksum(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
