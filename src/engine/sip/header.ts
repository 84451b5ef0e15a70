/** The name in its usual spelling and never the compact one; the value unfolded and otherwise as it came. */
export type Header = { readonly name: string; readonly value: string }

/** What the functions that read headers need: a message, or what is left of a broken one. */
export type WithHeaders = { readonly headers: readonly Header[] }
