/** The rates that come with the service, in Portuguese; those of an operator are shown by the name they were given. */
import type { Language } from './translated.ts'

const portuguese: Record<string, string> = {
  'Asia and Pacific': 'Ásia e Pacífico',
  Brazil: 'Brasil',
  'Brazil fixed': 'Brasil fixo',
  'Brazil mobile': 'Brasil celular',
  'Brazil shared cost': 'Brasil custo compartilhado',
  'Brazil toll-free': 'Brasil gratuito (0800)',
  Caribbean: 'Caribe',
  'Latin America': 'América Latina',
  'Rest of the world': 'Resto do mundo',
  'United States and Canada': 'Estados Unidos e Canadá',
  'Western and Central Europe': 'Europa Ocidental e Central',
}

export const rateName = (name: string, language: Language): string =>
  language === 'pt' ? (portuguese[name] ?? name) : name
