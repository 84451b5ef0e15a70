import { expect, test } from 'vitest'
import { readCrmProduct } from './crm-products.ts'

test.each([
  ['RDCRM', 'RD Station'],
  ['RD Station CRM', 'RD Station'],
  ['ZohoCRM', 'Zoho'],
  ['MoskitCRM', 'Moskit'],
  ['Piperun', 'PipeRun'],
  ['CRM PipeRun', 'PipeRun'],
  ['Zendesk', 'Zendesk'],
  ['Active-Campaign', 'ActiveCampaign'],
  ['NectarCRM', 'Nectar'],
  ['SugarCRM', 'Sugar'],
  ['amoCRM', 'Kommo'],
  [' hub spot ', 'HubSpot'],
  ['OUTROS', 'Outros'],
])('%s is %s, however it is written (D156)', (text, product) => {
  expect(readCrmProduct(text, [])).toBe(product)
})

test.each(['', 'CRM', 'Zo', 'Lotus Notes'])('%j is not known', (text) => {
  expect(readCrmProduct(text, [])).toBeUndefined()
})

test('the operator adds more', () => {
  expect(readCrmProduct('meu-crm', ['Meu CRM'])).toBe('Meu CRM')
})
