/** Imports contacts from a file: first what would happen with each line, then the import (D598). */
import { useState } from 'react'
import { request } from '../../api.ts'
import type { ContactImportResult } from '../../api-types.ts'
import { Dialog } from '../../parts/forms/dialog.tsx'
import { Field } from '../../parts/forms/field.tsx'
import { Form } from '../../parts/forms/form.tsx'
import { useAction } from '../../parts/forms/use-action.ts'
import { useForm } from '../../parts/forms/use-form.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { telephone } from '../../parts/telephone.ts'
import { commonWords } from '../../words/common.ts'
import { useWords } from '../../words/language.ts'
import { contactsKey } from './contact-form.tsx'
import { contactWords } from './words.ts'

type Line = ContactImportResult['lines'][number]
/** Lines that are refused come first; of long files the rest is counted alone. */
const maxShown = 100

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const words = useWords(contactWords)
  const common = useWords(commonWords)
  const [csv, setCsv] = useState('')
  const [preview, setPreview] = useState<ContactImportResult>()
  const form = useForm(async (_values, element) => {
    const file = new FormData(element).get('csv')
    const text = file instanceof File ? await file.text() : ''
    setPreview(await request('POST', '/contacts/import', { body: { csv: text, preview: true } }))
    setCsv(text)
  })
  const load = useAction({
    run: () => request('POST', '/contacts/import', { body: { csv, preview: false } }),
    refresh: [contactsKey],
    done: words.imported,
    onDone: onClose,
  })
  const count = preview ? preview.created + preview.updated : 0
  return (
    <Dialog title={words.import} onClose={onClose} wide>
      <Form form={form} action={words.preview} onCancel={onClose}>
        <Field
          label={words.file}
          name="csv"
          type="file"
          accept=".csv,text/csv,text/plain"
          required
          hint={words.fileHint}
          onChange={() => setPreview(undefined)}
        />
      </Form>
      {preview && (
        <div className="stack">
          <p role="status">{words.counts(preview.created, preview.updated, preview.same, preview.refused)}</p>
          <Table
            caption={words.import}
            columns={columnsOf(words, common.name)}
            rows={linesOf(preview)}
            keyOf={({ line }) => String(line)}
          />
          <button
            type="button"
            className="button primary"
            disabled={count === 0 || load.isPending}
            onClick={() => load.mutate()}
          >
            {words.importNow(count)}
          </button>
        </div>
      )}
    </Dialog>
  )
}

function linesOf({ lines }: ContactImportResult): Line[] {
  const isRefused = ({ action }: Line) => action === 'refuse'
  return [...lines.filter(isRefused), ...lines.filter((line) => !isRefused(line))].slice(0, maxShown)
}

function columnsOf(words: (typeof contactWords)['pt'], name: string): Column<Line>[] {
  return [
    { name: words.line, className: 'number', cell: ({ line }) => line },
    {
      name: words.action,
      cell: ({ action, problem, value }) =>
        problem
          ? `${words.actions[action]}: ${words.problems[problem]}${value ? ` (${value})` : ''}`
          : words.actions[action],
    },
    { name, cell: (line) => line.name },
    { name: words.numbers, className: 'number', cell: ({ numbers }) => numbers.map(telephone).join(', ') },
  ]
}
