import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Ask } from '../../access/ask.tsx'
import { Rows } from '../../access/rows.tsx'
import { say } from '../../access/say.ts'
import { api, bodyOf, type Schemas } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Moment } from '../../parts/time.tsx'
import { queries } from '../../queries.ts'
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
        <Rows
          label={t('team.tab.tokens')}
          rows={data?.data}
          rowId={key => key.id}
          columns={[
            {
              id: 'name',
              title: t('keys.name'),
              cell: key => (
                <>
                  {key.name}
                  <br />
                  <code className="soft">{key.masked_token}</code>
                </>
              ),
            },
            { id: 'scopes', title: t('keys.scopes'), cell: ({ scopes }) => <small>{scopes.join(', ')}</small> },
            {
              id: 'used',
              title: t('keys.used'),
              cell: ({ last_used_at: at }) => (at ? <Moment at={at} /> : t('never')),
            },
            { id: 'state', title: t('keys.state'), cell: key => t(key.is_active ? 'keys.on' : 'keys.off') },
            {
              id: 'actions',
              title: '',
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
        <Ask
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
            await queries.invalidateQueries({ queryKey: ['reseller', 'team', id] })
            say(t('keys.revoked'))
          }}
        />
      )}
    </section>
  )
}
