import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Pager } from '../parts/pager.tsx'
import { Moment } from '../parts/time.tsx'
import { auditQuery } from './queries.ts'

/** Who changed what of the monitor, newest first. */
export function MonitorHistory() {
  const { t } = useTranslation('monitors')
  const { monitor } = useParams({ from: '/app/app/monitors/$monitor' })
  const [page, setPage] = useState(1)
  const { data: entries, meta } = useSuspenseQuery(auditQuery(monitor, page)).data
  if (entries.length === 0) return <p>{t('history.none')}</p>
  return (
    <>
      <ol className="history card">
        {entries.map(({ id, action, user_name, created_at, changes }) => (
          <li key={id}>
            <p>
              <b>{t(`audit.${action}`, { defaultValue: action })}</b>{' '}
              {user_name === null ? t('history.bySystem') : t('history.by', { name: user_name })}{' '}
              <Moment at={created_at} />
            </p>
            <Changes changes={changes} />
          </li>
        ))}
      </ol>
      <Pager meta={meta} onPage={setPage} />
    </>
  )
}

interface Change {
  before: unknown
  after: unknown
}

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'before' in value && 'after' in value

/** The fields of an entry that have a value before and after. */
function Changes({ changes }: { changes: Record<string, unknown> | null }) {
  const { t } = useTranslation('monitors')
  const changed = Object.entries(changes ?? {}).flatMap(([field, value]) =>
    isChange(value) ? [{ field, ...value }] : [],
  )
  if (changed.length === 0) return null
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{t('history.field')}</th>
          <th scope="col">{t('history.before')}</th>
          <th scope="col">{t('history.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changed.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td>{shown(before)}</td>
            <td>{shown(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const shown = (value: unknown): string =>
  value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value)
