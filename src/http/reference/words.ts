/** Texts of the reference besides the API description, in both languages. */
import type { Translated } from '../../kit/text/language.ts'

export type ReferenceWords = {
  title: string
  or: string
  listOf: string
  anything: string
  pageOf: string
  optional: string
  noToken: string
  deprecated: string
  parameters: string
  body: string
  errors: string
  usualOnes: string
  besides: string
  anyOperation: string
  baseUrl: string
  webhookHeaders: string
  records: string
  recordsAbout: string
  allRecords: string
  contents: string
  find: string
  token: string
  documentation: string
  /** Name of the other language, in that language. */
  other: string
  answer: string
  as: string
  /** Titles of tables in Markdown. */
  columns: {
    field: string
    parameter: string
    in: string
    type: string
    required: string
    always: string
    about: string
    example: string
    code: string
    status: string
    message: string
    header: string
    yes: string
    no: string
  }
}

export const referenceWords: Translated<ReferenceWords> = {
  en: {
    title: 'API reference',
    or: ' or ',
    listOf: 'list of',
    anything: 'anything',
    pageOf: 'page of',
    optional: 'optional',
    noToken: 'no token',
    deprecated: 'deprecated',
    parameters: 'Parameters',
    body: 'Body',
    errors: 'Errors',
    usualOnes: 'usual ones',
    besides: 'Errors besides the usual ones',
    anyOperation: 'Any operation may answer',
    baseUrl: 'Base URL',
    webhookHeaders: 'Headers of every webhook',
    records: 'Records',
    recordsAbout: 'The bodies that operations take and answer.',
    allRecords: 'Bodies of all operations',
    contents: 'Contents',
    find: 'Find an operation',
    token: 'Access token; empty: your console session',
    documentation: 'Documentation',
    other: 'Português',
    answer: 'Answer',
    as: ', as ',
    columns: {
      field: 'Field',
      parameter: 'Parameter',
      in: 'In',
      type: 'Type',
      required: 'Required',
      always: 'Always',
      about: 'About',
      example: 'Example',
      code: 'Code',
      status: 'Status',
      message: 'Message',
      header: 'Header of every webhook',
      yes: 'yes',
      no: 'no',
    },
  },
  pt: {
    title: 'Referência da API',
    or: ' ou ',
    listOf: 'lista de',
    anything: 'qualquer valor',
    pageOf: 'página de',
    optional: 'opcional',
    noToken: 'sem token',
    deprecated: 'obsoleta',
    parameters: 'Parâmetros',
    body: 'Corpo',
    errors: 'Erros',
    usualOnes: 'os comuns a todas',
    besides: 'Erros além dos comuns',
    anyOperation: 'Qualquer operação pode responder',
    baseUrl: 'URL base',
    webhookHeaders: 'Cabeçalhos de todo webhook',
    records: 'Registros',
    recordsAbout: 'Os corpos que as operações recebem e devolvem.',
    allRecords: 'Corpos de todas as operações',
    contents: 'Índice',
    find: 'Buscar uma operação',
    token: 'Token; vazio: sua sessão do console',
    documentation: 'Documentação',
    other: 'English',
    answer: 'Resposta',
    as: ', como ',
    columns: {
      field: 'Campo',
      parameter: 'Parâmetro',
      in: 'Onde',
      type: 'Tipo',
      required: 'Obrigatório',
      always: 'Sempre',
      about: 'Descrição',
      example: 'Exemplo',
      code: 'Código',
      status: 'Status',
      message: 'Mensagem',
      header: 'Cabeçalho de todo webhook',
      yes: 'sim',
      no: 'não',
    },
  },
}
