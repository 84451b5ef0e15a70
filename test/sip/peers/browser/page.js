/**
 * A web page with a phone, by JsSIP or by SIP.js. The test calls the functions of `phone`; what happens is listed in
 * `phone.events`.
 */
import './ears.js'
import JsSIP from 'jssip'
import * as SIP from 'sip.js'

const events = []
const note = (type, more = {}) => events.push({ type, ...more })
/** Otherwise the browser takes a steady tone for noise and suppresses it. */
const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false }
const constraints = { audio, video: false }

let connection

/** Plays what the other side says, and measures it. */
function listen(peerConnection) {
  connection = peerConnection
  peerConnection.addEventListener('connectionstatechange', () => note(peerConnection.connectionState))
  peerConnection.addEventListener('track', ({ track }) => {
    const element = document.createElement('audio')
    element.autoplay = true
    element.srcObject = new MediaStream([track])
    document.body.append(element)
    ears.listen(track)
  })
}

async function statistics() {
  const found = {}
  for (const report of (await connection.getStats()).values()) {
    if (report.type === 'inbound-rtp') found.received = report.packetsReceived
    if (report.type === 'outbound-rtp') found.sent = report.packetsSent
    if (report.type === 'remote-inbound-rtp') found.reported = report.packetsLost
    if (report.type === 'transport') found.srtp = report.srtpCipher
    if (report.type === 'local-candidate') {
      found.candidate = report.candidateType
      found.relayProtocol = report.relayProtocol
    }
    if (report.type === 'codec') found.codec = report.mimeType
  }
  return found
}

/** What the test changes in descriptions: `remote` as it arrives, `local` as it is sent. */
const edits = {}

function startJsSip({ url, domain, extension, password, connection: pcConfig }) {
  let session
  const sessions = []
  const agent = new JsSIP.UA({
    sockets: [new JsSIP.WebSocketInterface(url)],
    uri: `sip:${extension}@${domain}`,
    password,
    session_timers: false,
  })
  for (const type of ['registered', 'unregistered', 'registrationFailed', 'disconnected'])
    agent.on(type, (detail) => note(type, { cause: detail?.cause, status: detail?.response?.status_code }))
  agent.on('newRTCSession', ({ session: started, originator, request }) => {
    session = started
    sessions.push(started)
    session.on('sdp', (description) => {
      const edit = edits[description.originator]
      if (edit) description.sdp = description.sdp.replace(new RegExp(edit.from), edit.to)
    })
    if (session.connection) listen(session.connection)
    session.on('peerconnection', ({ peerconnection }) => listen(peerconnection))
    for (const type of ['confirmed', 'hold', 'unhold']) session.on(type, () => note(type))
    for (const type of ['failed', 'ended'])
      session.on(type, ({ originator: by, cause, message }) =>
        note(type, { by, cause, status: message?.status_code }),
      )
    if (originator === 'remote') note('incoming', { request: request.data })
  })
  agent.start()
  return {
    dial: (number) => void agent.call(`sip:${number}@${domain}`, { mediaConstraints: constraints, pcConfig }),
    answer: () => session.answer({ mediaConstraints: constraints, pcConfig }),
    refuse: (status) => session.terminate({ status_code: status }),
    edit: (originator, from, to) => {
      edits[originator] = { from, to }
    },
    hangUp: () => session.terminate(),
    hold: () => session.hold(),
    resume: () => session.unhold(),
    /** Connects the other sides of its last two calls (RFC 3891). */
    connectCalls() {
      const [held, talking] = sessions.slice(-2)
      const eventHandlers = { accepted: () => note('transferred'), failed: () => note('not transferred') }
      held.refer(talking.remote_identity.uri, { replaces: talking, eventHandlers })
    },
    restartIce: () => session.renegotiate({ rtcOfferConstraints: { iceRestart: true } }),
    press: (digit) => session.sendDTMF(digit, { transportType: 'RFC2833' }),
    unregister: () => agent.unregister(),
  }
}

function startSipJs({ url, domain, extension, password }) {
  let session
  const handling = { sessionDescriptionHandlerOptions: { constraints } }

  function follow(started) {
    session = started
    session.stateChange.addListener((state) => {
      if (state === 'Establishing') listen(session.sessionDescriptionHandler.peerConnection)
      if (state === 'Established') note('confirmed')
      if (state === 'Terminated') note('ended')
    })
  }

  const agent = new SIP.UserAgent({
    uri: SIP.UserAgent.makeURI(`sip:${extension}@${domain}`),
    transportOptions: { server: url },
    authorizationUsername: extension,
    authorizationPassword: password,
    logLevel: 'error',
    delegate: {
      onInvite(invitation) {
        session = invitation
        note('incoming', { request: invitation.request.data })
        invitation.stateChange.addListener((state) => {
          if (state === 'Established') note('confirmed')
          if (state === 'Terminated') note('ended')
        })
        invitation.delegate = {
          onSessionDescriptionHandler: (handler) => listen(handler.peerConnection),
        }
      },
    },
  })
  const registerer = new SIP.Registerer(agent)
  registerer.stateChange.addListener((state) => note(state.toLowerCase()))
  agent.start().then(() => registerer.register())
  return {
    dial(number) {
      const inviter = new SIP.Inviter(agent, SIP.UserAgent.makeURI(`sip:${number}@${domain}`), handling)
      inviter.delegate = { onSessionDescriptionHandler: (handler) => listen(handler.peerConnection) }
      follow(inviter)
      return inviter.invite()
    },
    answer: () => session.accept(handling),
    hangUp: () => session.bye(),
    unregister: () => registerer.unregister(),
  }
}

globalThis.phone = {
  events,
  peak: ears.peak,
  statistics,
  start(options) {
    Object.assign(globalThis.phone, options.library === 'sip.js' ? startSipJs(options) : startJsSip(options))
  },
}
