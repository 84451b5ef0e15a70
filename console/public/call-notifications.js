/**
 * Service worker of the phone (D642): shows the notification of a call with buttons, which no page may, and passes the choice on to
 * the page that asked for it. It neither fetches nor keeps anything.
 */
const tag = 'ramal-call'
let last = Promise.resolve()

/** One after the other: a call that ended must not be shown by a message from before. */
function run(next) {
  last = last.then(next).catch(() => {})
  return last
}

async function show({ text, buttons }, page) {
  const actions = Object.entries(buttons).map(([action, title]) => ({ action, title }))
  const options = { tag, icon: 'icon.svg', requireInteraction: true, actions, data: page }
  await self.registration.showNotification(text, options)
}

async function close() {
  for (const notification of await self.registration.getNotifications({ tag })) notification.close()
}

/** A click beside the buttons is `open`. */
async function choose(choice, page) {
  const client = await self.clients.get(page)
  client?.postMessage({ type: 'call choice', choice })
  if (choice !== 'refuse') await client?.focus()
}

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('message', (event) => {
  const { data, source } = event
  event.waitUntil(run(() => (data.type === 'show call' ? show(data, source.id) : close())))
})
self.addEventListener('notificationclick', (event) => {
  const { action, notification } = event
  notification.close()
  event.waitUntil(choose(action || 'open', notification.data).catch(() => {}))
})
