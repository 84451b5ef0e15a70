/** Words of missed calls. */
import type { Translated } from '../../words/translated.ts'

const pt = {
  title: 'Chamadas perdidas',
  about: 'Quem ligou nos últimos 7 dias e ninguém atendeu. Sai da lista quem recebe uma ligação de volta.',
  states: { open: 'A retornar', done: 'Resolvidas', all: 'Todas' },
  state: 'Situação',
  number: 'Quem ligou',
  anonymous: 'Número oculto',
  last: 'Última vez',
  times: 'Vezes',
  extension: 'Ramal',
  done: 'Retorno',
  open: 'Ninguém retornou',
  ways: {
    called_back: (name: string, at: string) => `${name} ligou de volta, ${at}`,
    answered: (name: string, at: string) => `Ligou de novo e ${name} atendeu, ${at}`,
    marked: (name: string, at: string) => `${name} marcou como resolvida, ${at}`,
  },
  notReached: 'não atenderam',
  callBack: 'Ligar de volta',
  markDone: (number: string) => `Marcar ${number} como resolvida`,
  reopen: (number: string) => `Devolver ${number} à lista`,
  marked: 'Marcada como resolvida.',
  reopened: 'De volta à lista.',
  none: 'Nenhuma chamada a retornar',
  noneAbout: 'Todas as pessoas que ligaram foram atendidas ou receberam uma ligação de volta.',
  noneOfState: 'Nenhuma chamada perdida',
}

const en: typeof pt = {
  title: 'Missed calls',
  about: 'Who called in the last 7 days and was not answered. Who is called back leaves the list.',
  states: { open: 'To call back', done: 'Done', all: 'All' },
  state: 'State',
  number: 'Who called',
  anonymous: 'Hidden number',
  last: 'Last time',
  times: 'Times',
  extension: 'Extension',
  done: 'Called back',
  open: 'Nobody has called back',
  ways: {
    called_back: (name, at) => `${name} called back, ${at}`,
    answered: (name, at) => `Called again and ${name} answered, ${at}`,
    marked: (name, at) => `${name} marked it as done, ${at}`,
  },
  notReached: 'not answered',
  callBack: 'Call back',
  markDone: (number) => `Mark ${number} as done`,
  reopen: (number) => `Put ${number} back on the list`,
  marked: 'Marked as done.',
  reopened: 'Back on the list.',
  none: 'No calls to return',
  noneAbout: 'Everybody who called was answered or called back.',
  noneOfState: 'No missed calls',
}

export const missedWords: Translated<typeof pt> = { pt, en }
