import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Section } from '../access/section.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { usePerson } from '../shell/session.ts'

/** The operator's area: for others it does not exist. */
export function Ops() {
  const { t } = useTranslation('ops')
  if (!usePerson().isOperator) return <NotFound />
  return (
    <Section title={t('title')} label={t('nav')}>
      <Link to="/ops" activeOptions={{ exact: true }}>
        {t('nav.health')}
      </Link>
      <Link to="/ops/agents">{t('nav.agents')}</Link>
      <Link to="/ops/tenants">{t('nav.tenants')}</Link>
      <Link to="/ops/mails">{t('nav.mails')}</Link>
      <Link to="/ops/jobs">{t('nav.jobs')}</Link>
      <Link to="/ops/info">{t('nav.info')}</Link>
    </Section>
  )
}
