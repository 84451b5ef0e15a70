/** Words of the shell: navigation and sign-in. */
import type { Translated } from '../words/translated.ts'

const pt = {
  skip: 'Pular para o conteúdo',
  navigation: 'Navegação',
  signOut: 'Sair',
  language: 'Idioma',
  theme: 'Tema',
  themes: { auto: 'Auto', light: 'Claro', dark: 'Escuro' },
  expired: 'Sua sessão expirou',
  expiredAbout: 'Entre de novo para continuar. Nada do que você digitou foi perdido.',
  signIn: 'Entrar',
  signInAbout: 'Acesse sua conta para fazer e acompanhar chamadas.',
  keep: 'Continuar conectado neste navegador',
  forgot: 'Esqueci a senha',
  noAccount: 'Ainda não tem conta?',
  signUp: 'Criar conta',
  code: 'Código de verificação',
  codeAbout: 'Digite o código do seu aplicativo autenticador, ou um código de recuperação.',
}

const en: typeof pt = {
  skip: 'Skip to content',
  navigation: 'Navigation',
  signOut: 'Sign out',
  language: 'Language',
  theme: 'Theme',
  themes: { auto: 'Auto', light: 'Light', dark: 'Dark' },
  expired: 'Your session has ended',
  expiredAbout: 'Sign in again to go on. Nothing that you typed is lost.',
  signIn: 'Sign in',
  signInAbout: 'Open your account to place and follow calls.',
  keep: 'Stay signed in on this browser',
  forgot: 'Forgot your password?',
  noAccount: 'No account yet?',
  signUp: 'Create account',
  code: 'Verification code',
  codeAbout: 'Type the code of your authenticator app, or a recovery code.',
}

export const shellWords: Translated<typeof pt> = { pt, en }
