/** Why a trunk is not added, changed, switched or removed, in words. */
import { problem, type Refusal, refuse, refuseFields } from '../../../../contract/errors.ts'
import { maxTrunks } from '../../../../engine/trunk-settings/parse-trunks.ts'
import { TrunksRefusal } from '../../../../engine/trunk-settings/read-fields.ts'
import type { Translated } from '../../../../kit/text/language.ts'
import type { Refused } from '../../../../voice/trunks/trunk-changes.ts'

/** Says by field why TRUNKS would not take the trunk either. */
export async function orRefuseSettings<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TrunksRefusal)) throw error
    const field = error.field ?? 'name'
    throw refuseFields('Trunk', { [field]: [{ code: 'format', message: mistakes[field] ?? unusable }] })
  }
}

export function refusalOf(why: Refused, name: string): Refusal {
  if (why === 'taken') return refuseFields('Trunk', { name: [problem.taken] })
  if (why === 'too many') return refuseFields('Trunk', { name: [tooMany] })
  if (why === 'of the setting') return refuseFields('Trunk', { name: [ofTheSetting] })
  if (why === 'sandbox') return refuseFields('Trunk', { name: [sandbox] })
  return refuse('ROUTE_NOT_FOUND', {
    message: { en: `There is no trunk ${name}.`, pt: `Não existe o tronco ${name}.` },
  })
}

const unusable = { en: 'cannot be used', pt: 'não pode ser usado' }

const mistakes: Record<string, Translated<string>> = {
  address: {
    en: 'must be a SIP address such as sip:carrier.example or sip:203.0.113.7:5060;transport=tcp (udp, tcp or tls)',
    pt: 'deve ser um endereço SIP como sip:operadora.example ou sip:203.0.113.7:5060;transport=tcp (udp, tcp ou tls)',
  },
  username: {
    en: 'is needed with a password, in printable characters',
    pt: 'é necessário com uma senha, em caracteres imprimíveis',
  },
  password: {
    en: 'is needed with a username, in printable characters',
    pt: 'é necessária com um usuário, em caracteres imprimíveis',
  },
  register: { en: 'needs a username and a password', pt: 'precisa de usuário e senha' },
  from: { en: 'needs a username and a password', pt: 'precisa de usuário e senha' },
  callerId: {
    en: 'must be a telephone number such as 551130001000',
    pt: 'deve ser um número de telefone como 551130001000',
  },
  trust: {
    en: 'must be addresses or networks such as 203.0.113.0/24',
    pt: 'deve ter endereços ou redes como 203.0.113.0/24',
  },
  prefixes: { en: 'must be digits such as 55', pt: 'deve ter dígitos como 55' },
  services: { en: 'must be short numbers such as 190', pt: 'deve ter números curtos como 190' },
  codecs: {
    en: 'must be some of PCMA, PCMU, G722 and opus, each once',
    pt: 'deve ter alguns de PCMA, PCMU, G722 e opus, cada um uma vez',
  },
  srtp: { en: 'needs an address with transport=tls', pt: 'precisa de um endereço com transport=tls' },
  nodes: {
    en: 'must be addresses of nodes such as 192.0.2.10',
    pt: 'deve ter endereços de nós como 192.0.2.10',
  },
}

const tooMany = {
  code: 'length',
  message: {
    en: `is one too many: there are ${maxTrunks} trunks`,
    pt: `passa do limite: já existem ${maxTrunks} troncos`,
  },
}
const ofTheSetting = {
  code: 'exclusion',
  message: {
    en: 'is a trunk of the setting TRUNKS: switch it off here; change or remove it there',
    pt: 'é um tronco da configuração TRUNKS: desligue-o aqui; altere-o ou remova-o lá',
  },
}
const sandbox = {
  code: 'exclusion',
  message: {
    en: 'cannot be added while calls go to the sandbox carrier: set TRUNKS (to [], if all trunks are added here) and PAYMENT_GATEWAY, and start the service again',
    pt: 'não pode ser adicionado enquanto as chamadas vão para a operadora simulada: defina TRUNKS (como [], se todos os troncos forem adicionados aqui) e PAYMENT_GATEWAY e reinicie o serviço',
  },
}
