/** The two languages, each by its own name. */
import { type Language, setLanguage, useLanguage } from '../words/language.ts'

const names: Record<Language, string> = { pt: 'Português', en: 'English' }

export function LanguageChoice() {
  const current = useLanguage()
  return (
    <div className="row">
      {(['pt', 'en'] as const).map((one) => (
        <button
          key={one}
          type="button"
          lang={one === 'pt' ? 'pt-BR' : 'en'}
          className="button plain small"
          aria-pressed={one === current}
          onClick={() => setLanguage(one)}
        >
          {names[one]}
        </button>
      ))}
    </div>
  )
}
