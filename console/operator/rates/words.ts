/** Words of the rates: import, preview and trial. */
import type { OperatorPlanLine } from '../../../src/contract/operator-rates.ts'
import type { Translated } from '../../words/translated.ts'

type Kind = OperatorPlanLine['kind']
type Found = { prefix: string; name: string; minutePrice: string; price: string; isOwn: boolean }

const pt = {
  about: 'O que as chamadas custam. Uma importação mostra antes o que mudaria.',
  export: 'Exportar planilha',
  fileName: 'tarifas.csv',
  import: 'Importar tarifas',
  file: 'Arquivo CSV',
  fileHint:
    'Colunas prefix e minute_price; opcionais: domain, name, first_block, step, grace, valid_from, valid_until. Ponto e vírgula com vírgula decimal, ou vírgula com ponto.',
  replace: 'Encerrar as tarifas que o arquivo não traz',
  replaceHint: 'só nas tabelas (geral ou de uma conta) que o arquivo traz',
  preview: 'Ver prévia',
  counts: (added: number, changed: number, gone: number, unchanged: number, problems: number) =>
    `${added} novas, ${changed} alteradas, ${gone} encerradas, ${unchanged} sem mudança, ${problems} ${
      problems === 1 ? 'problema' : 'problemas'
    }.`,
  kind: 'Mudança',
  kinds: { new: 'Nova', changed: 'Alterada', gone: 'Encerrada' } as Record<Kind, string>,
  before: 'Antes',
  after: 'Depois',
  now: 'Agora',
  problems: 'O arquivo não pode ser importado',
  line: (line: number) => `Linha ${line}`,
  importNow: 'Importar agora',
  imported: 'Tarifas importadas.',
  trial: 'Testar um número',
  try: 'Testar',
  domainHint: 'vazio: a tabela geral',
  noRate: 'Sem tarifa: o número não pode ser chamado.',
  found: ({ prefix, name, minutePrice, price, isOwn }: Found) =>
    `+${prefix} ${name}, ${minutePrice} por minuto${isOwn ? ', da tabela da conta' : ''}; um minuto custa ${price}.`,
}

const en: typeof pt = {
  about: 'What calls cost. An import shows first what it would change.',
  export: 'Export sheet',
  fileName: 'rates.csv',
  import: 'Import rates',
  file: 'CSV file',
  fileHint:
    'Columns prefix and minute_price; optional: domain, name, first_block, step, grace, valid_from, valid_until. Commas with decimal dots, or semicolons with decimal commas.',
  replace: 'End the rates that the file does not have',
  replaceHint: 'only in the decks (default, or of an account) that the file names',
  preview: 'Preview',
  counts: (added, changed, gone, unchanged, problems) =>
    `${added} new, ${changed} changed, ${gone} ended, ${unchanged} unchanged, ${problems} ${
      problems === 1 ? 'problem' : 'problems'
    }.`,
  kind: 'Change',
  kinds: { new: 'New', changed: 'Changed', gone: 'Ended' },
  before: 'Before',
  after: 'After',
  now: 'Now',
  problems: 'The file cannot be imported',
  line: (line) => `Line ${line}`,
  importNow: 'Import now',
  imported: 'Rates imported.',
  trial: 'Try a number',
  try: 'Try',
  domainHint: 'empty: the default deck',
  noRate: 'No rate: the number cannot be called.',
  found: ({ prefix, name, minutePrice, price, isOwn }) =>
    `+${prefix} ${name}, ${minutePrice} a minute${isOwn ? ', from the deck of the account' : ''}; one minute costs ${price}.`,
}

export const rateWords: Translated<typeof pt> = { pt, en }
