import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api.ts'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'

/** Who did what, and when; what changed is folded. */
export function AuditEntries({ entries }: { entries: readonly Schemas['AuditEntry'][] | undefined }) {
  const { t } = useTranslation('access')
  return (
    <Table
      caption={t('audit.title')}
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        { id: 'time', header: t('audit.time'), cell: ({ created_at: at }) => <Moment at={at} /> },
        {
          id: 'person',
          header: t('audit.person'),
          cell: entry => {
            const name = entry.user_name ?? t('audit.system')
            return entry.impersonator_id ? t('audit.by', { name }) : name
          },
        },
        { id: 'action', header: t('audit.action'), cell: ({ action }) => <code>{action}</code> },
        { id: 'ip', header: t('audit.ip'), cell: ({ ip }) => ip ?? '–' },
        {
          id: 'changes',
          header: t('audit.changes'),
          cell: ({ changes }) =>
            changes && Object.keys(changes).length > 0 ? (
              <details>
                <summary>{t('audit.changes.show')}</summary>
                <pre>{JSON.stringify(changes, null, 2)}</pre>
              </details>
            ) : (
              '–'
            ),
        },
      ]}
    />
  )
}
