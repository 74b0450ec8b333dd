import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { refresh } from '../../queries.ts'
import { useTokenColumns } from '../../tokens/columns.tsx'
import type { Token } from '../../tokens/families.ts'
import { Revoke } from '../../tokens/revoke.tsx'
import { teamKeysQuery } from '../queries.ts'

/** The keys of a team, and the way to end one. */
export function TeamKeys({ id }: { id: string }) {
  const { t } = useTranslation('console')
  const { t: ofTokens } = useTranslation('tokens')
  const columns = useTokenColumns()
  const [page, setPage] = useState(1)
  const [revoked, setRevoked] = useState<Token | null>(null)
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
            ...columns,
            {
              id: 'actions',
              header: '',
              cell: key => (
                <Button
                  variant="quiet"
                  aria-label={`${ofTokens('revoke')}: ${key.name}`}
                  onPress={() => setRevoked(key)}
                >
                  {ofTokens('revoke')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {data && <Pager meta={data.meta} onPage={setPage} />}
      {revoked && (
        <Revoke
          name={revoked.name}
          onClose={() => setRevoked(null)}
          act={async () => {
            const params = { path: { managed_team: id, token: revoked.id } }
            await bodyOf(api.DELETE('/api/v1/reseller/managed-teams/{managed_team}/api-keys/{token}', { params }))
            await refresh(['reseller', 'team', id])
          }}
        />
      )}
    </section>
  )
}
