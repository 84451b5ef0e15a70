/**
 * D642: the notification of a call on the desktop. Where the browser has buttons in notifications, a service worker shows it and
 * reports the choice; elsewhere a click on it is the only choice.
 */

/** `open`: a click beside the buttons. */
export type CallChoice = 'answer' | 'refuse' | 'open'

export type CallNotice = { text: string; buttons: Record<Exclude<CallChoice, 'open'>, string> }

const script = '/console/call-notifications.js'
const scope = '/console/'

type TrustedTypes = { createPolicy(name: string, rules: object): { createScriptURL(url: string): string } }

/** The content security policy wants addresses of scripts to be made by a policy of Trusted Types, where the browser has them. */
const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy('ramal-call-notifications', { createScriptURL: () => script })

const buttonsPossible = () =>
  'serviceWorker' in navigator && ((Notification as { maxActions?: number }).maxActions ?? 0) >= 2

/** Only while the page is not seen, and if the person has allowed it. Returns how to close it; then nothing is reported any more. */
export function notifyOfCall(notice: CallNotice, onChoice: (choice: CallChoice) => void): () => void {
  if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted')
    return () => {}
  if (!buttonsPossible()) return showPlain(notice, onChoice)
  let close: (() => void) | undefined
  let isClosed = false
  findWorker()
    .then((worker) => showByWorker(worker, notice, onChoice))
    .catch(() => showPlain(notice, onChoice))
    .then((shown) => {
      if (isClosed) shown()
      else close = shown
    })
    .catch(reportError)
  return () => {
    isClosed = true
    close?.()
  }
}

function showPlain({ text }: CallNotice, onChoice: (choice: CallChoice) => void): () => void {
  const notification = new Notification(text, { icon: '/console/icon.svg', tag: 'ramal-call' })
  notification.addEventListener('click', () => {
    window.focus()
    onChoice('open')
  })
  return () => notification.close()
}

function showByWorker(
  worker: ServiceWorker,
  { text, buttons }: CallNotice,
  onChoice: (choice: CallChoice) => void,
): () => void {
  const { serviceWorker } = navigator
  const listen = ({ data }: MessageEvent) => data.type === 'call choice' && onChoice(data.choice)
  serviceWorker.addEventListener('message', listen)
  worker.postMessage({ type: 'show call', text, buttons })
  return () => {
    serviceWorker.removeEventListener('message', listen)
    worker.postMessage({ type: 'close call' })
  }
}

async function findWorker(): Promise<ServiceWorker> {
  const registration = await navigator.serviceWorker.register(policy?.createScriptURL(script) ?? script, {
    scope,
  })
  const worker = registration.active ?? registration.waiting ?? registration.installing
  if (!worker) throw new Error('the service worker was not installed')
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (worker.state === 'activated') resolve()
      else if (worker.state === 'redundant') reject(new Error('the service worker was replaced'))
    }
    worker.addEventListener('statechange', look)
    look()
  })
  return worker
}
