/** How much of a message we are ready to read: far above what phones and carriers send, far below what hurts. */
export const limits = {
  messageBytes: 65_536,
  /** Start line and headers, up to the empty line. */
  headBytes: 16_384,
  /** Folded lines count each for themselves. */
  headerLines: 100,
  /** One header, unfolded. */
  lineLength: 8_192,
  uriLength: 1_024,

  sdpLines: 500,
  sdpMedia: 16,
  sdpFormats: 64,
} as const
