/** The two languages, each by its own name. */
import { type Language, setLanguage, useLanguage } from '../words/language.ts'

const names: Record<Language, string> = { pt: 'Português', en: 'English' }

/** `isShort`: where there is little room, by their codes. */
export function LanguageChoice({ isShort }: { isShort?: boolean }) {
  const current = useLanguage()
  return (
    <div className="row languages">
      {(['pt', 'en'] as const).map((one) => (
        <button
          key={one}
          type="button"
          lang={one === 'pt' ? 'pt-BR' : 'en'}
          className="button plain small"
          aria-pressed={one === current}
          aria-label={isShort ? `${one.toUpperCase()}, ${names[one]}` : undefined}
          title={names[one]}
          onClick={() => setLanguage(one)}
        >
          {isShort ? one.toUpperCase() : names[one]}
        </button>
      ))}
    </div>
  )
}
