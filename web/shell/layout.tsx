import { Link, Outlet } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { I18nProvider } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Overlay } from '../access/overlay.tsx'
import { Toasts } from '../parts/toast.tsx'
import { actingIn } from './acting.ts'
import { ActingBar } from './acting-bar.tsx'
import { areas } from './areas.ts'
import { useMay } from './may.ts'
import { usePerson } from './session.ts'
import './layout.css'

export function Layout() {
  return (
    <Suspense fallback={<div className="loading" role="progressbar" aria-label="…" />}>
      <Frame />
    </Suspense>
  )
}

function Frame() {
  const { t, i18n } = useTranslation()
  const person = usePerson()
  const team = actingIn()
  const { administers } = useMay()
  useEffect(() => {
    if (person.language === i18n.language) return
    document.documentElement.lang = person.language
    void i18n.changeLanguage(person.language)
  }, [person.language, i18n])
  return (
    <I18nProvider locale={i18n.language}>
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      {team && <ActingBar team={team.name} person={person.name} />}
      <div className="frame">
        <nav aria-label={t('nav.label')}>
          {areas
            .filter(group => group.areas.length > 0)
            .map(group => (
              <section key={group.word} aria-label={t(group.word)}>
                <h2>{t(group.word)}</h2>
                {group.areas.map(({ to, word }) => (
                  <Link key={word} to={to} activeOptions={{ exact: to === '/app' }}>
                    {t(word)}
                  </Link>
                ))}
              </section>
            ))}
          {team === null && person.isReseller && administers && <Link to="/console">{t('nav.console')}</Link>}
          {team === null && person.isOperator && <Link to="/ops">{t('nav.ops')}</Link>}
        </nav>
        <main id="content" tabIndex={-1}>
          <Suspense fallback={<div className="loading" role="progressbar" aria-label={t('loading')} />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <Overlay />
      <Toasts />
    </I18nProvider>
  )
}
