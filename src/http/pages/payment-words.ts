/** What the payment page says, in Portuguese and English. */
import { type Language, preferredLanguage, type Translated } from '../../kit/text/language.ts'
import type { PaymentStatus } from '../../payments/port.ts'
import type { CardFate, CardField, CardProblem } from '../../payments/sandbox/cards.ts'
import type { PayableMethod, PayerAction } from '../../payments/sandbox/payment.ts'

/** What can go wrong with the whole page. */
export type Trouble = 'missing' | 'too late' | 'card refused' | 'check' | 'elsewhere' | 'too often' | 'down'

type State = { name: string; about: string }

type Words = {
  locale: string
  title: string
  sandbox: string
  play: string
  playAbout: string
  due: string
  payer: string
  number: string
  paidWith: (method: string, lastFour: string | undefined) => string
  methods: Record<PayableMethod, string>
  states: Record<PaymentStatus, State>
  pixSteps: string[]
  pixCode: string
  pixPicture: string
  slipAbout: string
  slipLine: string
  slipPicture: string
  copy: string
  copied: string
  pay: Record<PayableMethod, string>
  fields: Record<CardField, string>
  problems: Record<CardProblem, string>
  testCards: string
  testCardsAbout: string
  fates: Record<CardFate, string>
  actions: Record<PayerAction, string>
  troubles: Record<Trouble, string>
}

const pt: Words = {
  locale: 'pt-BR',
  title: 'Pagamento',
  sandbox: 'Ambiente de testes',
  play: 'Ferramentas de teste',
  playAbout: 'Nenhum dinheiro muda de mãos aqui. Experimente:',
  due: 'Vencimento',
  payer: 'Pagador',
  number: 'Fatura',
  paidWith: (method, lastFour) => (lastFour ? `${method}, final ${lastFour}` : method),
  methods: {
    PIX: 'Pix',
    BOLETO: 'Boleto',
    CREDIT_CARD: 'Cartão de crédito',
    DEBIT_CARD: 'Cartão de débito',
  },
  states: {
    PENDING: { name: 'Aguardando pagamento', about: '' },
    OVERDUE: { name: 'Vencida', about: 'O vencimento passou, mas esta cobrança ainda pode ser paga.' },
    AWAITING_RISK_ANALYSIS: {
      name: 'Em análise',
      about:
        'O pagamento com cartão está em análise. Leva cerca de um minuto; esta página se atualiza sozinha.',
    },
    AUTHORIZED: { name: 'Autorizada', about: 'O cartão foi autorizado e será cobrado em breve.' },
    CONFIRMED: {
      name: 'Paga',
      about: 'Pagamento confirmado. Os créditos entram na conta em instantes. Obrigado!',
    },
    RECEIVED: {
      name: 'Paga',
      about: 'Pagamento recebido. Os créditos entram na conta em instantes. Obrigado!',
    },
    REFUND_REQUESTED: {
      name: 'Estorno solicitado',
      about: 'O estorno foi solicitado ao banco. Leva cerca de um minuto; esta página se atualiza sozinha.',
    },
    REFUND_IN_PROGRESS: { name: 'Estorno em andamento', about: 'O estorno está a caminho.' },
    REFUNDED: { name: 'Estornada', about: 'O valor foi devolvido a quem pagou.' },
    CHARGEBACK_REQUESTED: {
      name: 'Contestada',
      about: 'O titular do cartão contestou esta compra junto ao banco.',
    },
    CHARGEBACK_DISPUTE: { name: 'Em disputa', about: 'A contestação está sendo disputada com o banco.' },
    AWAITING_CHARGEBACK_REVERSAL: {
      name: 'Disputa ganha',
      about: 'A disputa foi ganha; o banco está devolvendo o valor. Esta página se atualiza sozinha.',
    },
    CANCELLED: { name: 'Cancelada', about: 'Esta cobrança foi cancelada e não pode mais ser paga.' },
  },
  pixSteps: [
    'Abra o aplicativo do seu banco e escolha pagar com Pix.',
    'Aponte a câmera para o QR Code ou cole o código abaixo.',
    'Confira o valor e confirme.',
  ],
  pixCode: 'Código Pix copia e cola',
  pixPicture: 'QR Code do Pix',
  slipAbout:
    'Pague até o vencimento em qualquer banco, lotérica ou aplicativo, com o código de barras ou a linha digitável.',
  slipLine: 'Linha digitável',
  slipPicture: 'Código de barras do boleto',
  copy: 'Copiar código',
  copied: 'Copiado',
  pay: {
    PIX: 'Simular pagamento com Pix',
    BOLETO: 'Simular pagamento do boleto',
    CREDIT_CARD: 'Pagar com cartão de crédito',
    DEBIT_CARD: 'Pagar com cartão de débito',
  },
  fields: {
    holder: 'Nome impresso no cartão',
    number: 'Número do cartão',
    expiry: 'Validade (MM/AA)',
    cvv: 'Código de segurança',
  },
  problems: {
    missing: 'Preencha este campo.',
    number: 'Este não é um número de cartão.',
    'not a test card': 'Use um dos cartões de teste abaixo; cartões de verdade não são aceitos aqui.',
    expiry: 'Escreva mês e ano, como 12/30.',
    expired: 'Este cartão está vencido.',
    cvv: 'São três ou quatro dígitos.',
  },
  testCards: 'Cartões de teste',
  testCardsAbout: 'Qualquer nome, validade futura e código de segurança servem.',
  fates: {
    approved: 'aprovado',
    refused: 'recusado',
    'review approved': 'vai para análise e é aprovado',
    'review refused': 'vai para análise e é recusado',
    'charged back': 'aprovado e contestado um minuto depois',
  },
  actions: {
    expire: 'Deixar vencer',
    approve: 'Aprovar agora',
    reprove: 'Recusar agora',
    refund: 'Estornar',
    dispute: 'Disputar',
    concede: 'Aceitar a contestação',
    win: 'Ganhar a disputa',
    lose: 'Perder a disputa',
  },
  troubles: {
    missing: 'Este link de pagamento não existe ou não está completo.',
    'too late': 'Isso já não é possível: a cobrança mudou enquanto esta página estava aberta.',
    'card refused': 'O cartão foi recusado. Tente outro cartão ou outra forma de pagamento.',
    check: 'Confira os campos marcados.',
    elsewhere: 'Este pedido veio de outro site e não foi aceito.',
    'too often': 'Muitos pedidos em pouco tempo. Espere um minuto e tente de novo.',
    down: 'Não foi possível responder agora. Nada foi pago; tente de novo em instantes.',
  },
}

const en: Words = {
  locale: 'en',
  title: 'Payment',
  sandbox: 'Test environment',
  play: 'Test tools',
  playAbout: 'No money changes hands here. Try this:',
  due: 'Due date',
  payer: 'Payer',
  number: 'Invoice',
  paidWith: (method, lastFour) => (lastFour ? `${method} ending in ${lastFour}` : method),
  methods: { PIX: 'Pix', BOLETO: 'Bank slip', CREDIT_CARD: 'Credit card', DEBIT_CARD: 'Debit card' },
  states: {
    PENDING: { name: 'Awaiting payment', about: '' },
    OVERDUE: { name: 'Overdue', about: 'The due date has passed, but this charge can still be paid.' },
    AWAITING_RISK_ANALYSIS: {
      name: 'Under review',
      about: 'The card payment is under review. It takes about a minute; this page refreshes by itself.',
    },
    AUTHORIZED: { name: 'Authorised', about: 'The card was authorised and will be charged soon.' },
    CONFIRMED: {
      name: 'Paid',
      about: 'Payment confirmed. The credit reaches the account in a moment. Thank you!',
    },
    RECEIVED: {
      name: 'Paid',
      about: 'Payment received. The credit reaches the account in a moment. Thank you!',
    },
    REFUND_REQUESTED: {
      name: 'Refund requested',
      about: 'The bank was asked for the refund. It takes about a minute; this page refreshes by itself.',
    },
    REFUND_IN_PROGRESS: { name: 'Refund in progress', about: 'The refund is on its way.' },
    REFUNDED: { name: 'Refunded', about: 'The amount went back to who paid it.' },
    CHARGEBACK_REQUESTED: {
      name: 'Charged back',
      about: 'The card holder contested this purchase with their bank.',
    },
    CHARGEBACK_DISPUTE: { name: 'In dispute', about: 'The charge-back is being disputed with the bank.' },
    AWAITING_CHARGEBACK_REVERSAL: {
      name: 'Dispute won',
      about: 'The dispute was won; the bank is giving the amount back. This page refreshes by itself.',
    },
    CANCELLED: { name: 'Cancelled', about: 'This charge was cancelled and can no longer be paid.' },
  },
  pixSteps: [
    'Open your bank’s application and choose to pay with Pix.',
    'Point the camera at the QR code, or paste the code below.',
    'Check the amount and confirm.',
  ],
  pixCode: 'Pix code to copy and paste',
  pixPicture: 'Pix QR code',
  slipAbout:
    'Pay by the due date at any bank or in its application, with the bar code or the line of digits.',
  slipLine: 'Line of digits',
  slipPicture: 'Bar code of the bank slip',
  copy: 'Copy code',
  copied: 'Copied',
  pay: {
    PIX: 'Simulate the Pix payment',
    BOLETO: 'Simulate paying the slip',
    CREDIT_CARD: 'Pay with credit card',
    DEBIT_CARD: 'Pay with debit card',
  },
  fields: {
    holder: 'Name on the card',
    number: 'Card number',
    expiry: 'Expiry (MM/YY)',
    cvv: 'Security code',
  },
  problems: {
    missing: 'Please fill this in.',
    number: 'This is not a card number.',
    'not a test card': 'Use one of the test cards below; real cards are not taken here.',
    expiry: 'Write month and year, such as 12/30.',
    expired: 'This card has expired.',
    cvv: 'Three or four digits.',
  },
  testCards: 'Test cards',
  testCardsAbout: 'Any name, any expiry to come and any security code will do.',
  fates: {
    approved: 'approved',
    refused: 'refused',
    'review approved': 'goes to review and is approved',
    'review refused': 'goes to review and is refused',
    'charged back': 'approved, and charged back a minute later',
  },
  actions: {
    expire: 'Let it expire',
    approve: 'Approve now',
    reprove: 'Refuse now',
    refund: 'Refund',
    dispute: 'Dispute it',
    concede: 'Accept the charge-back',
    win: 'Win the dispute',
    lose: 'Lose the dispute',
  },
  troubles: {
    missing: 'This payment link does not exist or is not complete.',
    'too late': 'That is no longer possible: the charge changed while this page was open.',
    'card refused': 'The card was refused. Try another card or another way to pay.',
    check: 'Please check the marked fields.',
    elsewhere: 'This request came from another site and was not accepted.',
    'too often': 'Too many requests in a short time. Wait a minute and try again.',
    down: 'We cannot answer right now. Nothing was paid; try again in a moment.',
  },
}

export const paymentWords: Translated<Words> = { pt, en }

/** The one asked for, else the one the browser prefers. */
export function chooseLanguage(asked: unknown, accepted: string | undefined): Language {
  return asked === 'pt' || asked === 'en' ? asked : preferredLanguage(accepted, 'pt')
}
