/** Words of the overview. */
import type { Translated } from '../../words/translated.ts'

const pt = {
  title: (name: string | undefined) => (name === undefined ? 'Visão geral' : `Olá, ${name}`),
  about: (account: string) => `Como está ${account} agora.`,
  balance: 'Saldo disponível',
  lasts: (days: number) =>
    `${days < 1 ? 'Acaba hoje' : `Dura ${days > 365 ? 'mais de um ano' : days === 1 ? 'cerca de 1 dia' : `cerca de ${days} dias`}`} no ritmo da última semana.`,
  noSpend: 'Sem gastos na última semana.',
  today: 'Chamadas hoje',
  against: (count: string) => `${count} até esta hora há uma semana`,
  rate: 'Taxa de atendimento',
  rateAbout: (answered: string) => (answered === '1' ? '1 atendida hoje' : `${answered} atendidas hoje`),
  live: 'Ao vivo agora',
  liveAbout: (phones: number) => (phones === 1 ? '1 telefone conectado' : `${phones} telefones conectados`),
  problems: 'Precisa de atenção',
  noPhones: 'Nenhum telefone está conectado: ninguém pode ligar.',
  low: 'O saldo está baixo: as chamadas param quando ele acaba.',
  fewDays: (days: number) =>
    `O saldo acaba ${days < 1 ? 'hoje' : days === 1 ? 'em cerca de 1 dia' : `em cerca de ${days} dias`} no ritmo da última semana.`,
  webhookFailing: (code: string) => `O webhook da integração ${code} está falhando.`,
  steps: 'Primeiros passos',
  stepsAbout: 'Do cadastro à primeira chamada gravada.',
  stepList: {
    extension: 'Crie um ramal',
    phone: 'Conecte um telefone: o do navegador já vem pronto',
    call: 'Faça a primeira chamada',
    webhook: 'Receba eventos em um webhook',
    credit: 'Adicione crédito por PIX',
  },
  recent: 'Últimas chamadas',
  all: 'Ver histórico',
  none: 'Nenhuma chamada ainda.',
  firstCall: 'Fazer minha primeira chamada',
  connecting: 'Ligando seu telefone…',
  firstCallAbout:
    'Cria seu ramal, liga o telefone do navegador e chama um número de teste: fale, e você ouve a própria voz. A chamada é gravada.',
  sandbox: 'Ambiente de teste: as chamadas vão para uma operadora simulada.',
}

const en: typeof pt = {
  title: (name) => (name === undefined ? 'Overview' : `Hello, ${name}`),
  about: (account) => `How ${account} is doing now.`,
  balance: 'Available credit',
  lasts: (days) =>
    `${days < 1 ? 'Ends today' : `Lasts ${days > 365 ? 'more than a year' : days === 1 ? 'about 1 day' : `about ${days} days`}`} at the pace of last week.`,
  noSpend: 'Nothing was spent last week.',
  today: 'Calls today',
  against: (count) => `${count} by this time a week ago`,
  rate: 'Answer rate',
  rateAbout: (answered) => `${answered} answered today`,
  live: 'Live now',
  liveAbout: (phones) => (phones === 1 ? '1 phone online' : `${phones} phones online`),
  problems: 'Needs attention',
  noPhones: 'No phone is online: nobody can call.',
  low: 'The balance is low: calls stop when it runs out.',
  fewDays: (days) =>
    `The credit ends ${days < 1 ? 'today' : days === 1 ? 'in about 1 day' : `in about ${days} days`} at the pace of last week.`,
  webhookFailing: (code) => `The webhook of the integration ${code} is failing.`,
  steps: 'First steps',
  stepsAbout: 'From sign-up to the first recorded call.',
  stepList: {
    extension: 'Create an extension',
    phone: 'Connect a phone: the one in the browser is ready',
    call: 'Place the first call',
    webhook: 'Receive events by webhook',
    credit: 'Add credit by PIX',
  },
  recent: 'Latest calls',
  all: 'Show history',
  none: 'No calls yet.',
  firstCall: 'Make my first call',
  connecting: 'Switching your phone on…',
  firstCallAbout:
    'Creates your extension, switches the phone of the browser on and calls a test number: speak, and you hear your own voice. The call is recorded.',
  sandbox: 'Test environment: calls go to a simulated carrier.',
}

export const overviewWords: Translated<typeof pt> = { pt, en }
