import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../parts/button.tsx'
import { Moment } from '../../parts/time.tsx'
import { actIn } from '../../shell/acting.ts'
import { teamQuery } from '../queries.ts'
import { type TeamTab, teamTabs } from '../routes.ts'
import { stateOf } from './state.ts'
import { Summary } from './summary.tsx'
import './team.css'

type Part = ComponentType<{ id: string }>

const parts: Record<TeamTab, Part> = {
  summary: Summary,
  plan: lazy(async () => ({ default: (await import('./plan.tsx')).TeamPlan })),
  people: lazy(async () => ({ default: (await import('./people.tsx')).People })),
  tokens: lazy(async () => ({ default: (await import('./keys.tsx')).TeamKeys })),
  audit: lazy(async () => ({ default: (await import('./audit.tsx')).TeamAudit })),
  manage: lazy(async () => ({ default: (await import('./manage.tsx')).Manage })),
}

/** One managed team: what its reseller sees and changes without entering it, and the way in. */
export function ManagedTeamPage() {
  const { t } = useTranslation('console')
  const { team: id } = useParams({ from: '/app/console/teams/$team' })
  const { tab = 'summary' }: { tab?: TeamTab } = useSearch({ from: '/app/console/teams/$team' })
  const team = useSuspenseQuery(teamQuery(id)).data.data
  const Part = parts[tab]
  return (
    <>
      <p>
        <Link to="/console/teams">{t('team.back')}</Link>
      </p>
      <div className="row spread">
        <div>
          <h2 className="team-name">{team.name}</h2>
          <p className="soft">
            {[team.plan, t(`teams.state.${stateOf(team)}`), team.label, team.public_id].filter(Boolean).join(' · ')}
          </p>
        </div>
        <Button variant="primary" onPress={() => actIn({ tenantId: team.tenant_id, name: team.name })}>
          {t('team.step-in')}
        </Button>
      </div>
      {team.is_paused && team.paused_at && (
        <p role="status">
          {team.paused_reason ? t('team.paused', { reason: team.paused_reason }) : t('team.paused.plain')}{' '}
          <Moment at={team.paused_at} />
        </p>
      )}
      {team.on_trial && team.trial_ends_at && (
        <p>
          {t('team.trial.until')} <Moment at={team.trial_ends_at} />{' '}
          {t('team.trial.after', { plan: team.plan_after_trial ?? '' })}
        </p>
      )}
      <nav className="tabs" aria-label={t('team.tabs')}>
        {teamTabs.map(each => (
          <Link
            key={each}
            to="/console/teams/$team"
            params={{ team: id }}
            search={each === 'summary' ? {} : { tab: each }}
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {t(`team.tab.${each}`)}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<div className="loading" />}>
        <Part id={id} />
      </Suspense>
    </>
  )
}
