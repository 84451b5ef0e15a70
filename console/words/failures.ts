/** Why a delivery failed, in the person's language: the API reports it in English, or as the network does. */
import type { Language, Translated } from './translated.ts'

const known: [RegExp, Translated<string>][] = [
  [
    /^the receiver answered 410.*/,
    { pt: 'o destino respondeu 410: webhook desligado', en: 'the receiver answered 410: webhook turned off' },
  ],
  [
    /^the receiver answered (\d+); redirects.*/,
    {
      pt: 'o destino respondeu $1: redirecionamentos não são seguidos',
      en: 'the receiver answered $1: redirects are not followed',
    },
  ],
  [/^the receiver answered (\d+)$/, { pt: 'o destino respondeu $1', en: 'the receiver answered $1' }],
  [/^no answer within (\d+) s$/, { pt: 'sem resposta em $1 s', en: 'no answer within $1 s' }],
  [/^no answer$/, { pt: 'sem resposta', en: 'no answer' }],
  [/^the webhook is off$/, { pt: 'o webhook está desligado', en: 'the webhook is off' }],
  [
    /^the address may not be sent to$/,
    { pt: 'este endereço não é permitido', en: 'the address may not be sent to' },
  ],
  [/^the URL cannot be used$/, { pt: 'a URL não pode ser usada', en: 'the URL cannot be used' }],
  [/^no attempt is left$/, { pt: 'as tentativas acabaram', en: 'no attempt is left' }],
  [/^.*ECONNREFUSED.*$/, { pt: 'conexão recusada', en: 'connection refused' }],
  [/^.*ECONNRESET.*$/, { pt: 'conexão interrompida', en: 'connection lost' }],
  [/^.*(ENOTFOUND|EAI_AGAIN|has no address).*$/, { pt: 'endereço não encontrado', en: 'address not found' }],
  [/^.*(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT).*$/, { pt: 'conexão sem resposta', en: 'connection timed out' }],
  [/^.*(CERT_|certificate).*$/i, { pt: 'certificado TLS inválido', en: 'invalid TLS certificate' }],
]

/** Anything else is shown as it was reported. */
export function explainFailure(reported: string, language: Language): string {
  const [pattern, words] = known.find(([one]) => one.test(reported)) ?? []
  return pattern && words ? reported.replace(pattern, words[language]) : reported
}
