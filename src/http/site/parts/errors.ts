/** Every error code: what it means, and what to do about it. */
import { errorAdvice } from '../../../contract/error-advice.ts'
import { errorCatalogue } from '../../../contract/error-catalogue.ts'
import { type ErrorCode, errorCodes } from '../../../contract/errors.ts'
import type { Language, Translated } from '../../../kit/text/language.ts'

/** D579: heading of a status. */
const statusTitles: Record<number, Translated<string>> = {
  400: { pt: '400: requisição malformada', en: '400: malformed request' },
  401: { pt: '401: falta autenticação', en: '401: not authenticated' },
  402: { pt: '402: falta crédito', en: '402: no credit' },
  403: { pt: '403: não permitido', en: '403: not allowed' },
  404: { pt: '404: não encontrado', en: '404: not found' },
  405: { pt: '405: método não aceito', en: '405: method not allowed' },
  406: { pt: '406: formato não disponível', en: '406: format not available' },
  409: { pt: '409: conflito com o estado atual', en: '409: conflict with the current state' },
  413: { pt: '413: corpo grande demais', en: '413: body too large' },
  415: { pt: '415: tipo de conteúdo não aceito', en: '415: media type not accepted' },
  416: { pt: '416: intervalo fora do arquivo', en: '416: range outside of the file' },
  422: { pt: '422: requisição recusada', en: '422: request refused' },
  424: { pt: '424: outra parte recusou', en: '424: another party refused' },
  429: { pt: '429: limite atingido', en: '429: limit reached' },
  500: { pt: '500: erro interno', en: '500: internal error' },
  503: { pt: '503: temporariamente indisponível', en: '503: temporarily unavailable' },
}

const adviceTitles: Translated<string> = { pt: 'O que fazer', en: 'What to do' }

export function errorsPart(language: Language): string {
  const byStatus = [...Map.groupBy(errorCodes, (code) => errorCatalogue[code][0])]
  return byStatus
    .sort(([one], [other]) => one - other)
    .map(([status, codes]) => {
      const title = statusTitles[status]?.[language] ?? String(status)
      return `## ${title}\n\n${codes.map((code) => errorText(code, language)).join('\n\n')}`
    })
    .join('\n\n')
}

function errorText(code: ErrorCode, language: Language): string {
  const [, , message] = errorCatalogue[code]
  return `### ${code}\n\n${message[language]}\n\n**${adviceTitles[language]}:** ${errorAdvice[code][language]}`
}
