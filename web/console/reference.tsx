import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../parts/field.tsx'
import { Table } from '../parts/table.tsx'
import { openapiQuery } from './queries.ts'

interface Operation {
  method: string
  path: string
  summary: string
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What a reseller's token may call, from the document of the running API. */
export function ApiReference() {
  const { t } = useTranslation('console')
  const { data } = useQuery(openapiQuery)
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search.toLowerCase())
  const all = Object.entries(data?.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Operation => ({
        method: method.toUpperCase(),
        path,
        summary: textOf(Object(operation).summary),
      }),
    ),
  )
  const shown = all.filter(({ method, path, summary }) => `${method} ${path} ${summary}`.toLowerCase().includes(wanted))
  return (
    <section className="card">
      <h2>{t('api.title')}</h2>
      <p className="soft">{t('api.says')}</p>
      <p>
        <a className="button primary" href="/api/docs/reseller" target="_blank" rel="noreferrer">
          {t('api.open')}
        </a>
      </p>
      <TextField label={t('api.search')} type="search" value={search} onChange={setSearch} />
      {data && (
        <p className="soft" role="status">
          {t('api.found', { count: shown.length })}
        </p>
      )}
      <Table<Operation>
        caption={t('api.title')}
        rows={data && shown}
        keyOf={({ method, path }) => `${method} ${path}`}
        columns={[
          { id: 'summary', header: t('api.summary'), cell: ({ summary }) => summary },
          { id: 'method', header: t('api.method'), cell: ({ method }) => <code>{method}</code> },
          { id: 'path', header: t('api.path'), cell: ({ path }) => <code>{path}</code> },
        ]}
      />
    </section>
  )
}
