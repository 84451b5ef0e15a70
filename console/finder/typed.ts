/** Reads the text typed into the search for anything (D603): a number, a call id, or words. Pure. */

type Typed = {
  /** Without the words for calling. */
  text: string
  /** The person wants to call, not to look something up. */
  isCall: boolean
  /** As calls have it: E.164 without plus, or an extension; undefined if it is no number. */
  number: string | undefined
  callId: string | undefined
}

/** In both languages, whatever the console is in. */
const calling = /^(?:ligar|liga|chamar|call|dial)(?:\s+(?:para|pra|to))?\s+/i
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Extensions have two digits at least. */
const minDigits = 2

export function readTyped(typed: string): Typed {
  const given = typed.trim()
  const text = given.replace(calling, '').trim()
  const digits = text.replace(/\D/g, '')
  const isNumber = /^\+?[\d\s().-]+$/.test(text) && digits.length >= minDigits
  return {
    text,
    isCall: text !== given,
    number: isNumber ? withCountry(digits, text.startsWith('+')) : undefined,
    callId: uuid.test(text) ? text.toLowerCase() : undefined,
  }
}

/** Area code and number are of Brazil, unless a plus says otherwise. */
function withCountry(digits: string, isInternational: boolean): string {
  return !isInternational && /^[1-9]{2}\d{8,9}$/.test(digits) ? `55${digits}` : digits
}
