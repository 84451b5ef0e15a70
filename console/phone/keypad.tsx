/** The twelve keys of a telephone. */
const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#']

export function Keypad({ onKey }: { onKey: (key: string) => void }) {
  return (
    <div className="keypad">
      {keys.map((key) => (
        <button key={key} type="button" className="button" onClick={() => onKey(key)}>
          {key}
        </button>
      ))}
    </div>
  )
}
