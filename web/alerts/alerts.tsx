import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Section } from '../access/section.tsx'
import { GapNotice } from './gap-notice.tsx'

/** Who is notified of what: channels, the rules that feed them, escalation policies, and what was sent. */
export function Alerts() {
  const { t } = useTranslation('alerts')
  return (
    <Section title={t('title')} label={t('nav')} notice={<GapNotice />}>
      <Link to="/app/alerts" activeOptions={{ exact: true }}>
        {t('nav.channels')}
      </Link>
      <Link to="/app/alerts/rules">{t('nav.rules')}</Link>
      <Link to="/app/alerts/policies">{t('nav.policies')}</Link>
      <Link to="/app/alerts/deliveries">{t('nav.deliveries')}</Link>
    </Section>
  )
}
