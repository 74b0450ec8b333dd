import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Section } from '../access/section.tsx'
import { isUnlimited, planQuery } from '../shared-queries.ts'
import { useMay } from '../shell/may.ts'
import { usePerson } from '../shell/session.ts'

/** What concerns the person, and what concerns the team. In a managed team a reseller's people see the latter alone. */
export function Settings() {
  const { t } = useTranslation('settings')
  const { isActing, administers } = useMay()
  const { isLimited } = usePerson()
  const { data: plan } = useQuery(planQuery)
  return (
    <Section title={t('title')} label={t('nav')}>
      {!isActing && (
        <>
          <h2>{t('nav.you')}</h2>
          <Link to="/app/settings" activeOptions={{ exact: true }}>
            {t('nav.profile')}
          </Link>
          {!isLimited && (
            <>
              <Link to="/app/settings/security">{t('nav.security')}</Link>
              <Link to="/app/settings/tokens">{t('nav.tokens')}</Link>
              <Link to="/app/settings/data">{t('nav.data')}</Link>
            </>
          )}
          <h2>{t('nav.team')}</h2>
        </>
      )}
      <Link to="/app/settings/branding">{t('nav.branding')}</Link>
      {administers && <Link to="/app/settings/smtp">{t('nav.smtp')}</Link>}
      <Link to="/app/settings/plan">{t('nav.plan')}</Link>
      {!isActing && plan && !isUnlimited(plan) && <Link to="/app/settings/billing">{t('nav.billing')}</Link>}
      <Link to="/app/settings/import">{t('nav.import')}</Link>
      <Link to="/app/settings/audit-log">{t('nav.audit')}</Link>
    </Section>
  )
}
