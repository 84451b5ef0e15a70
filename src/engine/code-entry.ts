/** The keys that a callee presses, as tries at a code (D188). `*` and `#` begin a new try. */
export type CodeEntry = ReturnType<typeof createCodeEntry>

export function createCodeEntry(code: string, maxTries: number) {
  let typed = ''
  let wrong = 0

  function press(key: string): 'incomplete' | 'right' | 'wrong' | 'wrong too often' {
    if (key === '*' || key === '#') typed = ''
    if (/^\d$/.test(key)) typed += key
    if (typed.length < code.length) return 'incomplete'
    const isRight = typed === code
    typed = ''
    if (isRight) return 'right'
    wrong += 1
    return wrong < maxTries ? 'wrong' : 'wrong too often'
  }

  return { press, wrongTries: () => wrong }
}
