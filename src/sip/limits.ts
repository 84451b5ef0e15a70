/** The largest message we read: far more than phones and carriers send, too little to exhaust memory. */
export const limits = {
  /** Three times the largest offers of browsers, with video and every candidate (D474). */
  messageBytes: 32_768,
  /** Start line and headers, up to the empty line. */
  headBytes: 16_384,
  /** Every line of a folded header counts. */
  headerLines: 100,
  /** One header, unfolded. */
  lineLength: 8_192,
  uriLength: 1_024,

  sdpLines: 500,
  sdpLineLength: 1_024,
  sdpMedia: 16,
  sdpFormats: 64,
} as const
