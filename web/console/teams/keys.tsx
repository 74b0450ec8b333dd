import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { Moment } from '../../parts/time.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import { teamKeysQuery } from '../queries.ts'

/** The keys of a team, and the way to end one. */
export function TeamKeys({ id }: { id: string }) {
  const { t } = useTranslation('console')
  const [page, setPage] = useState(1)
  const [revoked, setRevoked] = useState<Schemas['ApiToken'] | null>(null)
  const { data } = useQuery({ ...teamKeysQuery(id, page), placeholderData: keepPreviousData })
  return (
    <section className="card">
      {data?.meta.total === 0 ? (
        <EmptyState title={t('keys.empty')}>{t('keys.empty.says')}</EmptyState>
      ) : (
        <Table
          caption={t('team.tab.tokens')}
          rows={data?.data}
          keyOf={key => key.id}
          columns={[
            {
              id: 'name',
              header: t('keys.name'),
              cell: key => (
                <>
                  {key.name}
                  <br />
                  <code className="soft">{key.masked_token}</code>
                </>
              ),
            },
            { id: 'scopes', header: t('keys.scopes'), cell: ({ scopes }) => <small>{scopes.join(', ')}</small> },
            {
              id: 'used',
              header: t('keys.used'),
              cell: ({ last_used_at: at }) => (at ? <Moment at={at} /> : t('never')),
            },
            { id: 'state', header: t('keys.state'), cell: key => t(key.is_active ? 'keys.on' : 'keys.off') },
            {
              id: 'actions',
              header: '',
              cell: key => (
                <Button variant="quiet" aria-label={`${t('keys.revoke')}: ${key.name}`} onPress={() => setRevoked(key)}>
                  {t('keys.revoke')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {data && <Pager meta={data.meta} onPage={setPage} />}
      {revoked && (
        <FormDialog
          title={t('keys.revoke.title', { name: revoked.name })}
          says={t('keys.revoke.says')}
          submit={t('keys.revoke')}
          isDanger
          onClose={() => setRevoked(null)}
          act={async () => {
            await bodyOf(
              api.DELETE('/api/v1/reseller/managed-teams/{managed_team}/api-keys/{token}', {
                params: { path: { managed_team: id, token: revoked.id } },
              }),
            )
            await refresh(['reseller', 'team', id])
            toast.success(t('keys.revoked'))
          }}
        />
      )}
    </section>
  )
}
