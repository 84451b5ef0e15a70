/** Who dials: the phone of this tab registers itself here while it is ready, so that any part of the page can call. */
type Dialer = (number: string) => boolean

let dialer: Dialer | undefined

export function setDialer(dial: Dialer | undefined) {
  dialer = dial
}

/** False if this tab has no phone that is ready. */
export const dialHere = (number: string): boolean => dialer?.(number) ?? false
