import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../parts/copy-button.tsx'
import { SelectField } from '../parts/field.tsx'
import { snippetsQuery } from './queries.ts'

/** Lines to paste into a job, with its own address. `url`: they are read again when it is rotated. */
export function Snippets({ id, url }: { id: string; url: string }) {
  const { t } = useTranslation('heartbeats')
  const { data = [] } = useQuery({ ...snippetsQuery(id), queryKey: [...snippetsQuery(id).queryKey, url] })
  const [chosen, setChosen] = useState<string | null>(null)
  const snippet = data.find(({ name }) => name === chosen) ?? data[0]
  if (!snippet) return null
  return (
    <section aria-label={t('snippets.title')} className="snippets">
      <SelectField
        label={t('snippets.title')}
        choices={data.map(({ name }) => ({ id: name, label: name }))}
        value={snippet.name}
        onChange={setChosen}
      />
      <section aria-label={snippet.name}>
        <pre>{snippet.text}</pre>
      </section>
      <CopyButton text={snippet.text} label={snippet.name} />
    </section>
  )
}
