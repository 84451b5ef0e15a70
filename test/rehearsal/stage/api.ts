/** The API as a program without a library uses it, for steps that are not about one. */
export async function request<T>(token: string, method: string, url: string, body?: object): Promise<T> {
  const answer = await fetch(url, {
    method,
    headers: { Authorization: token, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Registers the webhook of an account; its secret. */
export async function registerWebhook(api: string, token: string, url: string): Promise<string> {
  const metadata = {
    webhookUrl: url,
    webhookVersion: '1.8',
    webhookTypes: ['channel-answer', 'channel-hangup'],
  }
  const input = { gateway: 'crm', webhook: true, metadata }
  return (await request<{ secret: string }>(token, 'PATCH', `${api}/integrations`, input)).secret
}

export type CallRow = {
  id: string
  to: string
  ended_at: string | null
  hangup_cause: string | null
  record_url: string | null
  duration: number
}

/** All calls of the account, page by page. */
export async function allCalls(api: string, token: string): Promise<CallRow[]> {
  const rows: CallRow[] = []
  for (let page: number | undefined = 1; page !== undefined; ) {
    const answer: { data: CallRow[]; meta: { nextPage?: number } } = await request(
      token,
      'GET',
      `${api}/calls?page=${page}`,
    )
    rows.push(...answer.data)
    page = answer.meta.nextPage
  }
  return rows
}
