import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../parts/page-head.tsx'
import { actingIn } from '../shell/acting.ts'
import { useMay } from '../shell/may.ts'
import { usePerson } from '../shell/session.ts'
import { Invitations } from './invitations.tsx'
import { Members } from './members.tsx'
import { policyQuery } from './queries.ts'
import { SignInRules } from './sign-in-rules.tsx'

/** Who belongs to the team, who is invited, and how they must sign in. */
export function Team() {
  const { t } = useTranslation('team')
  const { isActing, managesPeople } = useMay()
  return (
    <div className="page">
      <PageHead title={t('title')} subtitle={t('says')} />
      {isActing && <InConsole />}
      <Members />
      <Invitations />
      {managesPeople && <Rules />}
    </div>
  )
}

function Rules() {
  const policy = useSuspenseQuery(policyQuery).data.data
  return <SignInRules key={policy.updated_at} policy={policy} />
}

function InConsole() {
  const { t } = useTranslation('team')
  const { managed_teams: teams = [] } = usePerson()
  const team = teams.find(({ tenant_id: id }) => id === actingIn()?.tenantId)
  return (
    <p className="soft">
      {t('acting')}{' '}
      {team && (
        <Link to="/console/teams/$team" params={{ team: team.id }} search={{ tab: 'people' }}>
          {t('acting.link')}
        </Link>
      )}
    </p>
  )
}
