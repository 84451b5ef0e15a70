/** Words of the fiscal data. */
import type { Translated } from '../../words/translated.ts'

const pt = {
  title: 'Dados fiscais',
  about: 'Em nome de quem as cobranças são feitas.',
  taxId: 'CPF ou CNPJ',
  taxIdHint: 'Depois de ativado, só o suporte altera.',
  activate: 'Ativar',
  active: 'Ativo',
  pending: 'Não informado',
  rejected: 'Recusado',
  who: 'Titular',
  company: 'Empresa',
  contact: 'Contato para cobranças',
  mobile: 'Celular',
  moreEmails: 'Outros e-mails',
  moreEmailsHint: 'Separados por vírgula.',
  address: 'Endereço',
  number: 'Número',
  complement: 'Complemento',
  province: 'Bairro',
  city: 'Cidade',
  state: 'Estado',
  zip: 'CEP',
}

const en: typeof pt = {
  title: 'Billing details',
  about: 'Whom charges are made out to.',
  taxId: 'CPF or CNPJ',
  taxIdHint: 'Once active, only support can change it.',
  activate: 'Activate',
  active: 'Active',
  pending: 'Not entered',
  rejected: 'Refused',
  who: 'Holder',
  company: 'Company',
  contact: 'Contact for charges',
  mobile: 'Mobile phone',
  moreEmails: 'Additional e-mails',
  moreEmailsHint: 'Separated by commas.',
  address: 'Address',
  number: 'Number',
  complement: 'Complement',
  province: 'District',
  city: 'City',
  state: 'State',
  zip: 'Postal code',
}

export const fiscalWords: Translated<typeof pt> = { pt, en }
