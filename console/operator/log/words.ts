/** Words of the fields that only the log of operators has, and of their values; its columns say who did it. */
import type { AuditAction } from '../../../src/contract/accounts/audit-actions.ts'
import type { Translated } from '../../words/translated.ts'

type Words = Record<string, string>
type Actions = Partial<Record<AuditAction, string>>

const pt = {
  actions: {
    'account.limits-changed': 'Limites alterados',
    'account.suspended': 'Conta suspensa',
    'account.released': 'Conta liberada',
    'account.looked-in': 'Conta consultada',
    'account.look-in-ended': 'Consulta encerrada',
    'user.password-set': 'Senha definida',
    'call.hung-up': 'Chamada desligada',
    'number.assigned': 'Número atribuído',
    'number.released': 'Número retirado',
    'credit.adjusted': 'Crédito ajustado',
  } as Actions,
  fields: {
    begun: 'novas',
    callerId: 'número apresentado',
    callsPerSecond: 'chamadas por segundo',
    channels: 'canais',
    components: 'afeta',
    ended: 'encerradas',
    format: 'forma dos números',
    impact: 'gravidade',
    name: 'nome',
    on: 'ligado',
    password: 'senha',
    prefixes: 'prefixos',
    priority: 'prioridade',
    register: 'registra-se',
    replace: 'substitui a tabela',
    secondFactor: 'outro aplicativo autenticador',
    services: 'números curtos',
    sessionsEnded: 'sessões encerradas',
    source: 'origem',
    state: 'situação',
    trust: 'redes da operadora',
    unchanged: 'sem mudança',
    username: 'usuário',
    wrong: 'errado',
  } as Words,
  wrong: { password: 'senha', 'second factor': 'código do aplicativo' } as Words,
  passwords: { changed: 'trocada' } as Words,
}

const en: typeof pt = {
  actions: {
    'account.limits-changed': 'Limits changed',
    'account.suspended': 'Account suspended',
    'account.released': 'Account released',
    'account.looked-in': 'Account looked at',
    'account.look-in-ended': 'Look ended',
    'user.password-set': 'Password set',
    'call.hung-up': 'Call hung up',
    'number.assigned': 'Number assigned',
    'number.released': 'Number taken back',
    'credit.adjusted': 'Credit adjusted',
  },
  fields: {
    begun: 'new',
    callerId: 'presented number',
    callsPerSecond: 'calls a second',
    channels: 'channels',
    components: 'affects',
    ended: 'ended',
    format: 'form of numbers',
    impact: 'impact',
    name: 'name',
    on: 'on',
    password: 'password',
    prefixes: 'prefixes',
    priority: 'priority',
    register: 'registers',
    replace: 'replaces the table',
    secondFactor: 'another authenticator app',
    services: 'short numbers',
    sessionsEnded: 'sessions ended',
    source: 'source',
    state: 'stage',
    trust: 'networks of the carrier',
    unchanged: 'unchanged',
    username: 'username',
    wrong: 'wrong',
  },
  wrong: { password: 'password', 'second factor': 'code of the app' },
  passwords: { changed: 'changed' },
}

export const logWords: Translated<typeof pt> = { pt, en }
