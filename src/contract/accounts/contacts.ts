/** Contacts of an account as the outside sees them (D596 to D598). */

import { bodyOf } from '../schema/body.ts'
import { Instant } from '../schema/common.ts'
import { type Static, Type } from '../schema/type.ts'

export const maxNumbers = 10

const id = Type.String({ format: 'uuid', examples: ['0193a2f4-7a3c-7c1e-9d3b-5f1e2a4b6c8d'] })
const name = Type.String({ minLength: 1, maxLength: 120, examples: ['Carla Dias'] })
const company = Type.String({
  maxLength: 120,
  description: 'Empty if there is none',
  examples: ['Mercado Dias'],
})
const numbers = Type.Array(Type.String({ maxLength: 40, examples: ['5548999998888'] }), {
  maxItems: maxNumbers,
  description:
    'Answered in E.164 without plus, as calls have them; sent as they are dialled. A number belongs to one contact.',
  examples: [['5548999998888']],
})

export const Contact = Type.Object(
  { id, name, company, numbers, createdAt: Instant, updatedAt: Instant },
  { $id: 'Contact' },
)

export const NewContact = Type.Object(
  { name, company: Type.Optional(company), numbers: Type.Optional(numbers) },
  {
    $id: 'NewContact',
    examples: [{ name: 'Carla Dias', company: 'Mercado Dias', numbers: ['+55 48 99999-8888'] }],
    ...bodyOf('Contact', { record: Contact }),
  },
)

export const ContactPatch = Type.Object(
  { name: Type.Optional(name), company: Type.Optional(company), numbers: Type.Optional(numbers) },
  {
    $id: 'ContactPatch',
    examples: [{ company: 'Mercado Dias', numbers: ['+55 48 99999-8888', '+55 48 3333-4444'] }],
    ...bodyOf('Contact', { record: Contact }),
  },
)

/** Problems of a line of a file. */
const lineProblems = [
  'no-name',
  'name-too-long',
  'no-number',
  'too-many-numbers',
  'invalid-number',
  'repeated-number',
  'numbers-of-two-contacts',
] as const
export type LineProblem = (typeof lineProblems)[number]

export const ContactImport = Type.Object(
  {
    csv: Type.String({
      maxLength: 900_000,
      description:
        'The file: a line of names, then one line for each contact, separated by commas, semicolons or tabs. Columns: `name` or `nome`, ' +
        '`company` or `empresa`, and any that begin with `number`, `phone`, `mobile`, `numero`, `telefone`, `fone` or `celular`.',
      examples: ['name;company;phone\nCarla Dias;Mercado Dias;+55 48 99999-8888\n'],
    }),
    preview: Type.Optional(
      Type.Boolean({ description: 'Only answers what would happen, and stores nothing', examples: [true] }),
    ),
  },
  { $id: 'ContactImport', ...bodyOf('Contact') },
)

const ImportLine = Type.Object({
  line: Type.Integer({ description: 'In the file, from 1, which is the line of names', examples: [2] }),
  action: Type.Enum(['create', 'update', 'same', 'refuse'], {
    description:
      '`create`: a new contact; `update`: the contact that has one of the numbers gets the name, the company and the other numbers; ' +
      '`same`: it has all of them; `refuse`: nothing is stored of this line',
  }),
  name: Type.String({ examples: ['Carla Dias'] }),
  company: Type.String({ examples: ['Mercado Dias'] }),
  numbers: Type.Array(Type.String({ examples: ['5548999998888'] })),
  problem: Type.Optional(
    Type.Enum([...lineProblems], { description: 'Of a line that is refused', examples: ['invalid-number'] }),
  ),
  value: Type.Optional(Type.String({ description: 'What the problem is about', examples: ['123'] })),
})
export type ImportLine = Static<typeof ImportLine>

export const ContactImportResult = Type.Object(
  {
    preview: Type.Boolean({ description: 'Nothing was stored', examples: [true] }),
    created: Type.Integer({ examples: [1] }),
    updated: Type.Integer({ examples: [0] }),
    same: Type.Integer({ examples: [0] }),
    refused: Type.Integer({ examples: [0] }),
    lines: Type.Array(ImportLine),
  },
  { $id: 'ContactImportResult' },
)
export type ContactImportResult = Static<typeof ContactImportResult>
