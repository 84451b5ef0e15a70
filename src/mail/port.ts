/** Mail: what the house asks of whatever carries it. */
export type Mail = {
  recipient: string
  subject: string
  text: string
}

/** Resolves when the mail is in other hands; rejects when it has to be tried again. */
export type Carrier = {
  carry(mail: Mail): Promise<void>
  /** The development mailbox is the place where mail stays; a mail server takes it away. */
  keeps: boolean
  /** Whether mail could be sent now; the reason if not. */
  check(): Promise<string | undefined>
  close(): void
}
