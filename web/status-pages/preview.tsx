import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api.ts'
import { useSettled } from '../parts/settled.ts'
import { actingIn } from '../shell/acting.ts'
import { usePerson } from '../shell/session.ts'
import type { PageChanges, StatusPage } from './queries.ts'

/** As the API takes it in an address. */
const longestDraft = 6_000

/** The page as the server renders it, with changes that are not saved. */
export function Preview({ page, changes }: { page: StatusPage; changes: PageChanges }) {
  const { t } = useTranslation('status-pages')
  const draft = useSettled(JSON.stringify(changes))
  const isTooLong = draft.length > longestDraft
  const base = usePreviewPath(page.id)
  const address = isTooLong || draft === '{}' ? base : `${base}?draft=${encodeURIComponent(draft)}`
  // a draft that is refused is not put into the frame: its fields are named instead
  const asked = useQuery({
    queryKey: ['status-pages', page.id, 'preview', address],
    queryFn: async ({ signal }) => {
      const response = await fetch(address, { signal })
      if (!response.ok) throw new ApiError(response.status, await response.json(), null)
      await response.text()
      return address
    },
    placeholderData: before => before,
  })
  const { error } = asked
  return (
    <section className="preview" aria-label={t('preview')}>
      <h2>{t('preview')}</h2>
      {isTooLong && <p className="soft">{t('preview.long')}</p>}
      {error && (
        <p className="field-error" role="status">
          {error instanceof ApiError ? (Object.values(error.fields)[0] ?? error.message) : t('preview.failed')}
        </p>
      )}
      {asked.data && (
        <iframe
          key={`${asked.data} ${asked.dataUpdatedAt}`}
          title={t('preview.frame')}
          src={asked.data}
          sandbox="allow-same-origin"
        />
      )}
    </section>
  )
}

/** A frame sends no `X-Tenant-Id`: in a managed team its path names the team. */
function usePreviewPath(page: string): string {
  const { managed_teams: teams = [] } = usePerson()
  const acting = actingIn()
  const team = acting && teams.find(({ tenant_id }) => tenant_id === acting.tenantId)
  return `/api/v1/${team ? `reseller/managed-teams/${team.id}/` : ''}status-pages/${page}/preview`
}
