/** The CRM products that a signup may name (D156), however they are written. */

/** The name as it is stored, with other names of the same product. */
const known: Record<string, string[]> = {
  ActiveCampaign: [],
  Agendor: [],
  Bitrix24: ['Bitrix'],
  Clint: [],
  Close: [],
  Copper: [],
  'Exact Sales': ['Exact Spotter', 'Spotter'],
  Followize: [],
  Freshsales: ['Freshworks'],
  'Funil de Vendas': [],
  HubSpot: [],
  Insightly: [],
  Intercom: [],
  Kommo: ['amoCRM'],
  Leads2b: [],
  Meetime: [],
  'Microsoft Dynamics': ['Dynamics', 'Dynamics 365', 'Microsoft Dynamics 365'],
  Monday: ['monday.com'],
  Moskit: [],
  Nectar: [],
  Odoo: [],
  Pipedrive: [],
  Pipefy: [],
  PipeRun: [],
  Ploomes: [],
  Ramper: [],
  'RD Station': ['RD'],
  Salesforce: ['Sales Cloud'],
  Sugar: [],
  Suite: [],
  Vtiger: [],
  Zendesk: ['Zendesk Sell'],
  Zoho: [],
  Outros: ['Outro', 'Other', 'Others'],
}

export const crmProducts = Object.keys(known)

const productByKey = new Map(
  Object.entries(known).flatMap(([product, others]) =>
    [product, ...others].map((name) => [keyOf(name), product] as const),
  ),
)

/** The product's own spelling; `more` are those that the operator adds. Undefined if it is not known. */
export function readCrmProduct(text: string, more: readonly string[]): string | undefined {
  const key = keyOf(text)
  if (key === '') return undefined
  return productByKey.get(key) ?? more.find((product) => keyOf(product) === key)
}

/** Case, accents, spaces, dashes and a CRM before or after the name make no difference: ZohoCRM is Zoho. */
function keyOf(name: string): string {
  const letters = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
  return letters.replace(/^crm(?=.)|(?<=.)crm$/g, '')
}
