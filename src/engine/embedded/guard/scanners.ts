/** Programs that look for telephone systems to break into. They say their names, and no phone has these. */
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

/** One of them signs in From or To as well. */
const lines = [
  String.raw`user-agent[ \t]*:[^\r\n]{0,200}?(?<![a-z])(?:${names.join('|')})(?![a-z])`,
  String.raw`(?:from|f|to|t)[ \t]*:[^\r\n]{0,200}?sipvicious`,
]
const line = new RegExp(`\\n(?:${lines.join('|')})`, 'i')

/** As far as a head goes that anybody needs to look at. */
const looked = 1_500

export function isScanner(bytes: Buffer): boolean {
  return line.test(bytes.toString('latin1', 0, looked))
}
