/** The configuration files of a private Asterisk. */

type Credentials = { username: string; password: string }

/**
 * What it does with a call, by called number, in this order: ring, play a tone before the answer, refuse;
 * or answer, play, record, and hang up.
 */
type Act = {
  /** Seconds before it goes on. */
  rings?: number | 'for ever'
  /** A tone before the answer, for `rings` seconds. */
  earlyHertz?: number
  /** A Q.850 cause: 17 busy, 21 rejected, 1 unallocated, 34 congestion. */
  refuses?: number
  /** Without it there is silence. */
  hertz?: number
  /** Records what it receives. */
  records?: boolean
  /** Echoes what it receives instead of a tone. */
  echoes?: boolean
  /** Digits it presses, half a second after its answer. */
  presses?: string
  /** Seconds from its answer to its hanging up; else it waits for the other side. */
  talks?: number
  /** The Q.850 cause it gives when it hangs up. */
  endsWith?: number
}

/** A registration with somebody's registrar, as a phone has it. */
type Line = Credentials & {
  domain: string
  server: string
  transport?: 'udp' | 'tcp'
  /** The called number whose act answers calls to this phone. */
  answersAs: string
  /** In seconds. */
  expires?: number
}

export type AsteriskOptions = {
  /** By called number. */
  acts?: Record<string, Act>
  /** Calls from anywhere on loopback must prove this; without it they are taken as they come. */
  challenge?: Credentials
  /** Phones that may register here. */
  accounts?: Credentials[]
  /** Where it registers by itself. */
  lines?: Line[]
  /** Names of Asterisk's: alaw, ulaw, g722, opus. */
  codecs?: string[]
  /** Extra settings of its endpoints, such as timers=required. */
  settings?: Record<string, string>
}

export type Place = { folder: string; sip: number; manager: number; http: number; secret: string }

/** Only these are loaded; what they need from outside was unpacked with them. */
const modules = [
  'res_sorcery_config res_sorcery_memory res_sorcery_astdb res_timing_timerfd res_http_websocket',
  'res_websocket_client res_pjproject res_pjsip res_pjsip_pubsub res_pjsip_session res_pjsip_sdp_rtp',
  'res_pjsip_registrar res_pjsip_authenticator_digest res_pjsip_outbound_authenticator_digest',
  'res_pjsip_outbound_registration res_pjsip_endpoint_identifier_user res_pjsip_endpoint_identifier_ip',
  'res_pjsip_caller_id res_pjsip_nat res_pjsip_rfc3326 res_pjsip_header_funcs res_pjsip_dtmf_info',
  'res_pjsip_refer res_pjsip_dlg_options res_pjsip_logger res_pjsip_transport_websocket res_rtp_asterisk',
  'res_srtp chan_pjsip chan_bridge_media bridge_simple bridge_native_rtp bridge_softmix codec_alaw codec_ulaw',
  'codec_a_mu codec_g722 codec_opus_open_source res_format_attr_opus codec_resample format_wav format_pcm',
  'format_sln pbx_config app_dial app_echo app_playtones app_mixmonitor app_senddtmf func_callerid func_channel',
  'res_stasis res_stasis_answer res_stasis_playback res_stasis_recording res_stasis_snoop app_stasis res_ari',
  'res_ari_model res_ari_applications res_ari_asterisk res_ari_bridges res_ari_channels res_ari_endpoints',
  'res_ari_events res_ari_playbacks res_ari_recordings',
].flatMap((line) => line.split(' '))

const forEver = 3600
/** Asterisk fills it in. */
const channelId = ['$', '{CHANNEL(uniqueid)}'].join('')

export function writeFiles(options: AsteriskOptions, place: Place): Record<string, string> {
  return {
    'modules.conf': `[modules]\nautoload=no\n${modules.map((name) => `load=${name}.so\n`).join('')}`,
    'logger.conf': '[general]\n[logfiles]\nmessages => notice,warning,error\n',
    'manager.conf': section('general', {
      enabled: 'yes',
      port: `${place.manager}`,
      bindaddr: '127.0.0.1',
    }).concat(section('ramal', { secret: place.secret, read: 'call,system,dtmf', write: 'all' })),
    'http.conf': section('general', {
      enabled: 'yes',
      bindaddr: '127.0.0.1',
      bindport: `${place.http}`,
      sessionlimit: '500',
    }),
    'ari.conf': section('general', { enabled: 'yes' }).concat(
      section('ramal', { type: 'user', password: place.secret }),
    ),
    'rtp.conf': section('general', { rtpstart: '21000', rtpend: '31999' }),
    'indications.conf':
      '[general]\ncountry=br\n[br]\ndescription=Brazil\nring=425/1000,0/4000\nbusy=425/250,0/250\n',
    'pjsip.conf': writePjsip(options, place),
    'extensions.conf': writeDialplan(options.acts ?? {}, place.folder),
    ...Object.fromEntries(silent.map((name) => [`${name}.conf`, ''])),
  }
}

/** It complains of these when they are missing. */
const silent = [
  'acl',
  'ccss',
  'cdr',
  'cel',
  'features',
  'geolocation',
  'pjproject',
  'udptl',
  'websocket_client',
]

function writePjsip(
  { challenge, accounts = [], lines = [], codecs = ['alaw', 'ulaw'], settings }: AsteriskOptions,
  { sip }: Place,
) {
  const endpoint = {
    type: 'endpoint',
    context: 'witness',
    disallow: 'all',
    allow: codecs.join(),
    direct_media: 'no',
    rtp_symmetric: 'yes',
    force_rport: 'yes',
    rewrite_contact: 'yes',
    ...settings,
  }
  const auth = ({ username, password }: Credentials) => ({ type: 'auth', username, password })
  const parts = [
    section('global', { type: 'global', endpoint_identifier_order: 'username,ip' }),
    section('udp', { type: 'transport', protocol: 'udp', bind: `127.0.0.1:${sip}` }),
    section('tcp', { type: 'transport', protocol: 'tcp', bind: `127.0.0.1:${sip}` }),
    section('ws', { type: 'transport', protocol: 'ws', bind: '127.0.0.1' }),
    section('carrier', { ...endpoint, ...(challenge ? { auth: 'carrier' } : {}) }),
    section('carrier', { type: 'identify', endpoint: 'carrier', match: '127.0.0.1' }),
    challenge ? section('carrier', auth(challenge)) : '',
  ]
  for (const account of accounts) {
    const name = account.username
    parts.push(
      section(name, { ...endpoint, auth: name, aors: name }),
      section(name, auth(account)),
      section(name, { type: 'aor', max_contacts: '1', remove_existing: 'yes' }),
    )
  }
  for (const line of lines) {
    const name = `line-${line.username}`
    const transportParam = line.transport === 'tcp' ? ';transport=tcp' : ''
    parts.push(
      section(name, auth(line)),
      section(name, {
        ...endpoint,
        outbound_auth: name,
        from_user: line.username,
        from_domain: line.domain,
        outbound_proxy: `sip:${line.server};lr${transportParam}`,
      }),
      section(name, {
        type: 'registration',
        transport: line.transport ?? 'udp',
        outbound_auth: name,
        server_uri: `sip:${line.domain}${transportParam}`,
        client_uri: `sip:${line.username}@${line.domain}`,
        outbound_proxy: `sip:${line.server};lr${transportParam}`,
        contact_user: line.answersAs,
        expiration: `${line.expires ?? 3600}`,
        retry_interval: '1',
        max_random_initial_delay: '0',
      }),
    )
  }
  return parts.join('')
}

function writeDialplan(acts: Record<string, Act>, folder: string): string {
  const numbers = Object.entries(acts).map(([number, act]) => {
    const [first, ...rest] = steps(act, folder)
    return `exten => ${number},1,${first}\n${rest.map((step) => ` same => n,${step}\n`).join('')}`
  })
  // What nobody planned for is a number that does not exist.
  return `[witness]\n${numbers.join('')}exten => _[+0-9a-z].,1,Hangup(1)\n`
}

function steps(act: Act, folder: string): string[] {
  const lead = act.rings === 'for ever' ? forEver : act.rings
  const early = act.earlyHertz === undefined ? ['Ringing()'] : ['Progress()', `PlayTones(${act.earlyHertz})`]
  const before = lead === undefined ? [] : [...early, `Wait(${lead})`, 'StopPlayTones()']
  if (act.refuses !== undefined) return [...before, `Hangup(${act.refuses})`]
  return [
    ...before,
    'Answer()',
    ...(act.records
      ? [`MixMonitor(${folder}/both-${channelId}.wav,r(${heardFile(folder, channelId)}))`]
      : []),
    ...(act.presses ? ['Wait(0.5)', `SendDTMF(${act.presses})`] : []),
    ...(act.hertz === undefined ? [] : [`PlayTones(${act.hertz})`]),
    act.echoes ? 'Echo()' : `Wait(${act.talks ?? forEver})`,
    `Hangup(${act.endsWith ?? 16})`,
  ]
}

export const heardFile = (folder: string, channelId: string) => `${folder}/heard-${channelId}.wav`

/** What follows a bare semicolon would be a comment. */
function section(name: string, settings: Record<string, string>): string {
  const lines = Object.entries(settings).map(([key, value]) => `${key}=${value.replaceAll(';', '\\;')}\n`)
  return `[${name}]\n${lines.join('')}`
}
