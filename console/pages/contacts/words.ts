/** The page of contacts. */
import type { Translated } from '../../words/translated.ts'

const pt = {
  title: 'Contatos',
  about: 'Pessoas para quem a conta liga e que ligam para ela.',
  add: 'Novo contato',
  edit: (name: string) => `Alterar ${name}`,
  import: 'Importar CSV',
  search: 'Nome, empresa ou número',
  name: 'Nome',
  company: 'Empresa',
  numbers: 'Números',
  numbersHint: 'Com DDD, separados por vírgulas',
  none: 'Nenhum contato',
  noneAbout: 'Adicione um contato ou importe um arquivo CSV.',
  noMatch: 'Nenhum contato encontrado',
  removed: 'Contato removido.',
  confirmRemove: (name: string) =>
    `${name} deixa de aparecer nas chamadas. As chamadas continuam no histórico.`,
  file: 'Arquivo CSV',
  fileHint: 'Com uma linha de títulos: nome, empresa, telefone. Até 5.000 contatos.',
  preview: 'Conferir',
  importNow: (count: number) => (count === 1 ? 'Importar 1 contato' : `Importar ${count} contatos`),
  counts: (created: number, updated: number, same: number, refused: number) =>
    `${created} novos, ${updated} alterados, ${same} sem mudança, ${refused} recusados.`,
  imported: 'Contatos importados.',
  line: 'Linha',
  action: 'O que acontece',
  actions: { create: 'novo', update: 'alterado', same: 'sem mudança', refuse: 'recusado' },
  problems: {
    'no-name': 'sem nome',
    'name-too-long': 'nome longo demais',
    'no-number': 'sem número',
    'too-many-numbers': 'mais de 10 números',
    'invalid-number': 'número inválido',
    'repeated-number': 'número repetido',
    'numbers-of-two-contacts': 'números de dois contatos',
  },
}

const en: typeof pt = {
  title: 'Contacts',
  about: 'People whom the account calls and is called by.',
  add: 'New contact',
  edit: (name) => `Change ${name}`,
  import: 'Import CSV',
  search: 'Name, company or number',
  name: 'Name',
  company: 'Company',
  numbers: 'Numbers',
  numbersHint: 'With area code, separated by commas',
  none: 'No contacts',
  noneAbout: 'Add a contact, or import a CSV file.',
  noMatch: 'No contact was found',
  removed: 'Contact removed.',
  confirmRemove: (name) => `${name} is no longer shown in calls. The calls stay in the history.`,
  file: 'CSV file',
  fileHint: 'With a line of titles: name, company, phone. Up to 5,000 contacts.',
  preview: 'Preview',
  importNow: (count) => (count === 1 ? 'Import 1 contact' : `Import ${count} contacts`),
  counts: (created, updated, same, refused) =>
    `${created} new, ${updated} changed, ${same} unchanged, ${refused} refused.`,
  imported: 'Contacts imported.',
  line: 'Line',
  action: 'What happens',
  actions: { create: 'new', update: 'changed', same: 'unchanged', refuse: 'refused' },
  problems: {
    'no-name': 'no name',
    'name-too-long': 'name too long',
    'no-number': 'no number',
    'too-many-numbers': 'more than 10 numbers',
    'invalid-number': 'not a valid number',
    'repeated-number': 'repeated number',
    'numbers-of-two-contacts': 'numbers of two contacts',
  },
}

export const contactWords: Translated<typeof pt> = { pt, en }
