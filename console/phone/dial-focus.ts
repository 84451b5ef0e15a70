/**
 * The focus of a person who dials by keyboard (D661): in a call it leaves the field of the number, where digits would be neither
 * tones nor an outcome, and after the call it is back there for the next number.
 */
let field: HTMLInputElement | undefined
let wasDialledThere = false

/** Before a number is dialled. */
export function noteField(one: HTMLInputElement | null) {
  wasDialledThere = one !== null && document.activeElement === one
  field = one ?? undefined
}

/** The call is shown. */
export function leaveField(panel: HTMLElement | null) {
  if (wasDialledThere && document.activeElement === (field?.isConnected ? field : document.body))
    panel?.focus()
}

/** The call is over, and nothing is asked about it any more. A person who went elsewhere stays there. */
export function returnToField() {
  const isFree = document.activeElement === document.body || document.activeElement?.closest('.dock')
  if (wasDialledThere && isFree) {
    const shown = field?.isConnected ? field : document.querySelector<HTMLInputElement>('.dial-number')
    shown?.focus()
    // The next number replaces this one.
    shown?.select()
  }
  wasDialledThere = false
}
