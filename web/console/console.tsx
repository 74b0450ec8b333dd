import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Section } from '../access/section.tsx'
import { useMay } from '../shell/may.ts'
import { usePerson } from '../shell/session.ts'

/** The reseller's area. Its pages ask for what others are refused, so others see none of them. */
export function Console() {
  const { t } = useTranslation('console')
  const { isReseller } = usePerson()
  const { administers } = useMay()
  if (!isReseller || !administers)
    return (
      <div className="page">
        <h1>{t('title')}</h1>
        <p>{t('denied')}</p>
      </div>
    )
  return (
    <Section title={t('title')} label={t('nav')}>
      <Link to="/console" activeOptions={{ exact: true }}>
        {t('nav.overview')}
      </Link>
      <Link to="/console/teams">{t('nav.teams')}</Link>
      <Link to="/console/templates">{t('nav.templates')}</Link>
      <Link to="/console/profiles">{t('nav.profiles')}</Link>
      <Link to="/console/webhooks">{t('nav.webhooks')}</Link>
      <Link to="/console/mails">{t('nav.mails')}</Link>
      <Link to="/console/tokens">{t('nav.tokens')}</Link>
      <Link to="/console/portal">{t('nav.portal')}</Link>
      <Link to="/console/api">{t('nav.api')}</Link>
    </Section>
  )
}
