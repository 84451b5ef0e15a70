/** Words of the telephone numbers of the account. */
import type { Translated } from '../../words/translated.ts'

const pt = {
  title: 'Números',
  about: 'Números que a conta apresenta a quem ela liga (BINA) e por onde recebe chamadas.',
  add: 'Adicionar número',
  number: 'Número com DDD',
  column: 'Número',
  added: 'Número adicionado. Agora verifique que ele é seu.',
  verified: 'Verificado',
  notVerified: 'Não verificado',
  verify: 'Verificar',
  verifyTitle: (number: string) => `Verificar ${number}`,
  type: 'Atenda a ligação e digite este código no teclado do telefone:',
  until: (moment: string) => `Vale até ${moment}.`,
  proof: { operator: 'pelo operador', call: 'por ligação', sandbox: 'no ambiente de teste' },
  outcomes: {
    verified: 'código correto',
    'wrong-code': 'código errado',
    'no-code': 'nenhum código digitado',
    'not-answered': 'não atendeu',
    taken: 'o número é de outra conta',
    lost: 'a ligação caiu',
  },
  calling: 'ligando…',
  lastCall: 'Última ligação',
  removed: 'Número removido.',
  confirmRemove: (number: string) => `Remover ${number}? Ele deixa de ser apresentado e de receber chamadas.`,
  empty: 'Nenhum número ainda',
  emptyAbout: 'Sem um número verificado, quem recebe a chamada vê o número da operadora.',
}

const en: typeof pt = {
  title: 'Numbers',
  about: 'Numbers that the account presents to those it calls, and at which it is called.',
  add: 'Add a number',
  number: 'Number with area code',
  column: 'Number',
  added: 'Number added. Now verify that it is yours.',
  verified: 'Verified',
  notVerified: 'Not verified',
  verify: 'Verify',
  verifyTitle: (number) => `Verify ${number}`,
  type: 'Answer the call and type this code on the keypad of the phone:',
  until: (moment) => `Valid until ${moment}.`,
  proof: { operator: 'by the operator', call: 'by a call', sandbox: 'in the test environment' },
  outcomes: {
    verified: 'right code',
    'wrong-code': 'wrong code',
    'no-code': 'no code typed',
    'not-answered': 'not answered',
    taken: 'the number belongs to another account',
    lost: 'the call was lost',
  },
  calling: 'calling…',
  lastCall: 'Last call',
  removed: 'Number removed.',
  confirmRemove: (number) => `Remove ${number}? It is no longer presented, and no longer called.`,
  empty: 'No numbers yet',
  emptyAbout: 'Without a verified number, those you call see the number of the carrier.',
}

export const numberWords: Translated<typeof pt> = { pt, en }
