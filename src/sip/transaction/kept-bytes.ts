/** Messages kept for retransmission, as Latin-1 text: a small buffer would keep its whole page (64 KiB) in memory. */
export type KeptBytes = string

export function keepBytes(bytes: Buffer): KeptBytes {
  return bytes.toString('latin1')
}

export function toBytes(kept: KeptBytes): Buffer {
  return Buffer.from(kept, 'latin1')
}
