/**
 * D401: Firefox pairs no ICE candidate with a loopback address, so that calls over a service at such an address have no
 * sound in it. Its phone does not start, and the page says why.
 */
const loopback = /^(127\.|localhost|\[::1\])/

export async function isOutOfReach(): Promise<boolean> {
  if (!navigator.userAgent.includes('Firefox/')) return false
  const answer = await fetch('/addresses')
  const { SIP = '' }: { SIP?: string } = await answer.json()
  return loopback.test(SIP)
}
