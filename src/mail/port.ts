/** E-mail: what the service needs of the part that sends it. */
export type Mail = {
  recipient: string
  subject: string
  text: string
}

export type MailTransport = {
  /** Resolves once the mail is handed over; rejects if it must be retried. */
  send(mail: Mail): Promise<void>
  /** True for the development mailbox: the body stays in the database after sending, to be shown there. */
  keepsMail: boolean
  /** Whether mail could be sent now; the reason if not. */
  check(): Promise<string | undefined>
  close(): void
}
