/** Creates an integration with a webhook, or changes one. */
import { useQueryClient } from '@tanstack/react-query'
import { request } from '../../api.ts'
import type { Integration } from '../../api-types.ts'
import { refuseField } from '../../error-text.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Check, Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { toast } from '../../parts/toasts.tsx'
import { useIsAdmin } from '../../session.ts'
import { commonWords } from '../../words/common.ts'
import { deliveryWords } from '../../words/deliveries.ts'
import { useWords } from '../../words/language.ts'
import { ConstraintField, readConstraint } from './constraint-field.tsx'
import { integrationsKey, settingsOf } from './integration-data.ts'
import { integrationWords } from './words.ts'

const ofCalls = [
  'channel-create',
  'channel-ringing',
  'channel-answer',
  'channel-hangup',
  'channel-transfer',
  'recording-ready',
  'recording-lost',
  'call-updated',
]
const ofAccount = ['account-low-balance', 'account-alert', 'charge-paid', 'charge-refunded']
const usual = ['channel-answer', 'channel-hangup']

type Props = { integration?: Integration; onClose: () => void }

export function IntegrationForm({ integration, onClose }: Props) {
  const words = useWords(integrationWords)
  const { types: names } = useWords(deliveryWords)
  const common = useWords(commonWords)
  const cache = useQueryClient()
  const isAdmin = useIsAdmin()
  const settings = integration ? settingsOf(integration) : { url: '', types: usual }
  // Others may have been set over the API: they are shown, and kept.
  const types = [...new Set([...ofCalls, ...(isAdmin ? ofAccount : []), ...settings.types])]
  const form = useForm(async (values) => {
    const body = {
      ...(integration && { id: integration.id }),
      gateway: values.gateway ?? '',
      webhook: true,
      webhookConstraint: requireConstraint(values.constraint ?? '', words.notJson),
      metadata: {
        webhookVersion: '1.8',
        ...integration?.metadata,
        webhookUrl: values.webhookUrl ?? '',
        webhookTypes: types.filter((type) => values[type] === 'on'),
      },
    }
    await request('PATCH', '/integrations', { body })
    await cache.invalidateQueries({ queryKey: integrationsKey })
    toast(common.saved)
    onClose()
  })
  return (
    <Dialog title={integration ? words.edit(integration.gateway) : words.create} onClose={onClose}>
      <Form form={form} action={common.save} onCancel={onClose}>
        <Field
          label={words.code}
          name="gateway"
          required
          maxLength={64}
          defaultValue={integration?.gateway}
          hint={words.codeHint}
        />
        <Field
          label={words.url}
          name="webhookUrl"
          type="url"
          required
          defaultValue={settings.url}
          placeholder="https://crm.example/hooks"
          problem={form.problem('webhookUrl') ?? form.problem('metadata.webhookUrl')}
        />
        <fieldset className="plain stack" style={{ gap: '.4rem' }}>
          <legend style={{ padding: 0 }}>{words.events}</legend>
          {types.map((type) => (
            <Check
              key={type}
              name={type}
              label={names[type] ?? type}
              hint={<code>{type}</code>}
              defaultChecked={settings.types.includes(type)}
            />
          ))}
        </fieldset>
        <ConstraintField
          constraint={integration?.webhookConstraint}
          problem={form.problem('webhookConstraint')}
        />
      </Form>
    </Dialog>
  )
}

function requireConstraint(text: string, problem: string) {
  const constraint = readConstraint(text)
  if (constraint === undefined) throw refuseField('webhookConstraint', problem)
  return constraint
}
