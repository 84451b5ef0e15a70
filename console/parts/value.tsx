/** The value of a figure, in large letters. */
const longLetters = 9

export function Value({ children }: { children: string }) {
  return <div className={children.length > longLetters ? 'value long' : 'value'}>{children}</div>
}
