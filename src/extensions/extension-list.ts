/** Fields by which extensions are listed and searched; the password is shown but cannot be searched. */
import { defineList } from '../filter/list.ts'

export const extensionList = defineList({
  fields: {
    id: { kind: 'integer', column: 'extensions.id' },
    domain: {
      kind: 'text',
      column: '(select domain from accounts where accounts.id = extensions.account_id)',
      lowercase: true,
    },
    ramal: { kind: 'text', column: 'extensions.number' },
    bina: { kind: 'text', column: 'extensions.caller_id', nullable: true, phone: 'as sent' },
    first_name: { kind: 'text', column: 'extensions.first_name' },
    last_name: { kind: 'text', column: 'extensions.last_name' },
    email_address: { kind: 'text', column: 'extensions.email', lowercase: true },
    gravar_audio: { kind: 'boolean', column: 'extensions.record_calls' },
  },
  shows: [
    'id',
    'domain',
    'ramal',
    'senha',
    'bina',
    'bina_verified',
    'first_name',
    'last_name',
    'email_address',
    'user_uuid',
    'gravar_audio',
    'registered',
    'registered_at',
    'user_agent',
  ],
  order: 'ramal',
  id: 'extensions.id',
  example: { where: { first_name: { like: 'An' } }, order: 'ramal ASC', limit: 20 },
})
