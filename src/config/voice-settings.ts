/** Settings of SIP, sound and the course of a call. */
import {
  codecs,
  iceUrls,
  ipAddress,
  oneOf,
  optional,
  portRange,
  proxies,
  text,
  trunks,
  whole,
  yesNo,
} from './readers.ts'
import { setting } from './setting.ts'

export const voiceSettings = {
  SIP_HOST: setting(
    '127.0.0.1',
    ipAddress,
    'Address on which phones and carriers reach us, for SIP and sound.',
  ),
  SIP_PUBLIC_HOST: setting(
    '',
    optional(ipAddress),
    'Address that phones and carriers are given, if it is not SIP_HOST, as behind NAT; needed when SIP_HOST is 0.0.0.0 or ::.',
  ),
  SIP_PORT: setting('5060', whole(0, 65_535), 'Port of SIP over UDP and TCP; 0 takes any free one.'),
  SIP_WS_PORT: setting('5066', whole(0, 65_535), 'Port of SIP over WebSocket; 0 takes any free one.'),
  SIP_TLS_PORT: setting(
    '',
    optional(whole(0, 65_535)),
    'Port of SIP over TLS; needs SIP_TLS_CERT and SIP_TLS_KEY, with which WebSocket is secured too.',
  ),
  SIP_EDGES: setting(
    '',
    proxies,
    'Addresses or networks of SIP proxies in front of the voice nodes, comma-separated: the address of the phone behind one is taken from its Via header (D252).',
  ),
  SIP_TLS_CERT: setting('', optional(text), 'File of the certificate chain (PEM) for SIP over TLS.'),
  SIP_TLS_KEY: setting('', optional(text), 'File of the private key (PEM) for SIP over TLS.'),
  RTP_PORTS: setting('20000-20999', portRange, 'Ports of the sound: four for each call.'),
  MEDIA_THREADS: setting(
    '1',
    whole(1, 64),
    'Threads that carry sound, at the start; more start by themselves with the calls, up to the number of cores (D634).',
  ),
  MEDIA_SOCKETS: setting(
    'auto',
    oneOf('dgram', 'epoll', 'auto'),
    'How sound is received and sent: `dgram` by Node, `epoll` by system calls of our own, with about half the CPU, on Linux only; `auto` is `epoll` on Linux (D631).',
  ),
  SOUND_DSCP: setting(
    '46',
    whole(0, 63),
    'Mark (DSCP) of packets with sound, by which a network sends them first; 46 is EF, 0 is no mark. Needs `epoll` of MEDIA_SOCKETS (D632).',
  ),
  SIP_DSCP: setting('24', whole(0, 63), 'Mark (DSCP) of packets with SIP; 24 is CS3, 0 is no mark (D632).'),
  TRUNKS: setting(
    '',
    trunks,
    'Carriers that calls go out through and come in by, as JSON (see docs/trunks.md). [] has those alone that the operator console adds (D624). Default: a sandbox carrier inside the service.',
  ),
  TURN_URLS: setting(
    '',
    iceUrls,
    'TURN servers for web phones in networks that block UDP, comma-separated, such as turn:turn.example.com:3478?transport=tcp (D291).',
  ),
  TURN_SECRET: setting(
    '',
    optional(text),
    'Secret shared with the TURN servers (static-auth-secret of coturn), which makes credentials that expire.',
  ),
  CODECS: setting(
    'opus,G722,PCMA,PCMU',
    codecs,
    'Codecs that phones may use, in order of preference (D274). Carriers have a list of their own in TRUNKS.',
  ),
  SRTP_WITHOUT_TLS: setting(
    'false',
    yesNo,
    'Whether phones may send keys of SRTP over connections without TLS, where others can read them (D237).',
  ),
  AUTO_ANSWER: setting(
    'false',
    yesNo,
    'Whether phones are asked to answer calls placed over the API by themselves (D77).',
  ),
  CALL_FORWARDING: setting(
    'off',
    oneOf('on', 'off'),
    'Whether a phone that redirects its calls (302) is followed; its account pays for the call to the target (D273).',
  ),
  HOLD_MUSIC: setting(
    '',
    optional(text),
    'WAV file that a held party listens to, again and again (D269). Default: music of our own.',
  ),
  ANNOUNCEMENTS: setting(
    '',
    optional(text),
    'Folder of WAV files for an agent whose call failed, named like causes: USER_BUSY.wav; default.wav for all others (D270). Default: tones.',
  ),
  FAILURE_TONE_SECONDS: setting(
    '3',
    whole(0, 30),
    'How long an agent listens to the busy or congestion tone of a call that failed; 0 hangs up at once (D270).',
  ),
  RING_SECONDS: setting(
    '45',
    whole(5, 600),
    'How long the phone of an extension rings for a call placed over the API.',
  ),
  ANSWER_SECONDS: setting('60', whole(5, 600), 'How long a destination rings.'),
  TALK_SECONDS: setting('14400', whole(10, 86_400), 'How long a call may last.'),
  MEDIA_SECONDS: setting(
    '30',
    whole(5, 3_600),
    'A call without audio from either side for this long is ended.',
  ),
  PHONE_AWAY_SECONDS: setting(
    '20',
    whole(0, 300),
    'How long a call waits for a web phone whose connection was lost, as when its page is loaded again; 0 ends it at once (D318).',
  ),
} as const
