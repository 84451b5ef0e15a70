/** Words of the users of the account. */
import type { Translated } from '../../words/translated.ts'

const pt = {
  title: 'Usuários',
  about: 'Quem entra no console e usa a API desta conta.',
  invite: 'Convidar',
  inviteTitle: 'Convidar uma pessoa',
  inviteAbout: 'A pessoa recebe um e-mail e escolhe a própria senha.',
  send: 'Enviar convite',
  invited: (email: string) => `Convite enviado para ${email}.`,
  edit: (name: string) => `Editar ${name}`,
  role: 'Papel',
  admin: 'Administrador',
  user: 'Usuário',
  search: 'Buscar por nome ou e-mail',
  roleHints: {
    account:
      'Um usuário liga do próprio ramal e vê e ouve as chamadas de toda a conta; um administrador também altera tudo.',
    own: 'Um usuário liga do próprio ramal e vê e ouve só as chamadas dele; um administrador vê, ouve e altera tudo.',
  },
  lastLogin: 'Último acesso',
  active: 'Ativo',
  confirmAgain: 'Reenviar o link de confirmação',
  confirmationSent: 'Link de confirmação enviado.',
  waiting: 'Convidado',
  unconfirmed: 'E-mail não confirmado',
  you: 'você',
  again: 'Reenviar convite',
  sentAgain: 'Convite enviado de novo.',
  endTokens: 'Encerrar acessos',
  tokensEnded: (count: number) => (count === 1 ? 'Um acesso encerrado.' : `${count} acessos encerrados.`),
  confirmEnd: (name: string) =>
    `Encerrar todas as sessões e tokens de ${name}? Programas que usam esses tokens deixam de funcionar.`,
  confirmRemove: (name: string) =>
    `Remover ${name}? A pessoa perde o acesso e os telefones na hora; o histórico de chamadas fica.`,
  newSenha: (numbers: string) => `Trocar a senha do ramal ${numbers}`,
  newSenhaHint: 'A pessoa conhece a senha atual. Um aparelho que fica em uso precisa receber a nova.',
  removed: 'Usuário removido.',
}

const en: typeof pt = {
  title: 'Users',
  about: 'Who signs in to the console and uses the API of this account.',
  invite: 'Invite',
  inviteTitle: 'Invite a person',
  inviteAbout: 'They receive an e-mail and choose their own password.',
  send: 'Send invitation',
  invited: (email) => `Invitation sent to ${email}.`,
  edit: (name) => `Edit ${name}`,
  role: 'Role',
  admin: 'Administrator',
  user: 'User',
  search: 'Search by name or e-mail',
  roleHints: {
    account:
      'A user calls from their own extension, and sees and hears the calls of the whole account; an administrator also changes everything.',
    own: 'A user calls from their own extension, and sees and hears only its calls; an administrator sees, hears and changes everything.',
  },
  lastLogin: 'Last sign-in',
  active: 'Active',
  confirmAgain: 'Send the confirmation link again',
  confirmationSent: 'Confirmation link sent.',
  waiting: 'Invited',
  unconfirmed: 'E-mail not confirmed',
  you: 'you',
  again: 'Send invitation again',
  sentAgain: 'Invitation sent again.',
  endTokens: 'End access',
  tokensEnded: (count) =>
    count === 1 ? 'One session or token ended.' : `${count} sessions and tokens ended.`,
  confirmEnd: (name) =>
    `End all sessions and tokens of ${name}? Programs that use these tokens stop working.`,
  confirmRemove: (name) =>
    `Remove ${name}? They lose access and phones immediately; the history of calls stays.`,
  newSenha: (numbers) => `Change the password of extension ${numbers}`,
  newSenhaHint: 'They know the present one. A device that stays in use has to be given the new one.',
  removed: 'User removed.',
}

export const userWords: Translated<typeof pt> = { pt, en }
