/** One of a few, such as a period: all are seen, one is pressed. */
type Props = {
  name: string
  choices: { value: string; name: string }[]
  chosen: string
  onChoose: (value: string) => void
}

export function Choice({ name, choices, chosen, onChoose }: Props) {
  return (
    <fieldset className="plain chips" aria-label={name}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className="chip"
          aria-pressed={choice.value === chosen}
          onClick={() => onChoose(choice.value)}
        >
          {choice.name}
        </button>
      ))}
    </fieldset>
  )
}
