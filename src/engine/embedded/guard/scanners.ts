/** User-Agent names of programs that scan for telephone systems; no phone has such a name. */
const names = [
  'friendly-scanner',
  'friendly-request',
  'sipvicious',
  'sundayddr',
  'sip-?scan',
  'sipcli',
  'siparmyknife',
  'sip-?bot',
  'smap',
  'iwar',
  'vaxs?ipuseragent',
  'pplsip',
  'gulp',
  'voip-scan',
]

/** SIPVicious also puts its name into From or To. */
const lines = [
  String.raw`user-agent[ \t]*:[^\r\n]{0,200}?(?<![a-z])(?:${names.join('|')})(?![a-z])`,
  String.raw`(?:from|f|to|t)[ \t]*:[^\r\n]{0,200}?sipvicious`,
]
const line = new RegExp(`\\n(?:${lines.join('|')})`, 'i')

/** Bytes of a message that are searched. */
const searchedBytes = 1_500

export function isScanner(bytes: Buffer): boolean {
  return line.test(bytes.toString('latin1', 0, searchedBytes))
}
