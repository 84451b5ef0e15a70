/** The name in its canonical spelling, never the compact form; the value unfolded and otherwise unchanged. */
export type Header = { readonly name: string; readonly value: string }

/** What the functions that read headers need: a message, or the part of a malformed one that could be parsed. */
export type WithHeaders = { readonly headers: readonly Header[] }
