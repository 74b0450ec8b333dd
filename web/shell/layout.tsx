import { Link, Outlet } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { Button } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { actIn, actingIn } from './acting.ts'
import { usePerson } from './session.ts'
import './layout.css'

const areas = [
  { to: '/app', word: 'nav.overview' },
  { to: '/app/monitors', word: 'nav.monitors' },
] as const

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
  useEffect(() => {
    if (person.language === i18n.language) return
    document.documentElement.lang = person.language
    void i18n.changeLanguage(person.language)
  }, [person.language, i18n])
  return (
    <>
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      {team && (
        <div className="acting" role="status">
          {t('acting.says', { team: team.name, person: person.name })}{' '}
          <Button onPress={() => actIn(null)}>{t('acting.leave')}</Button>
        </div>
      )}
      <div className="frame">
        <nav aria-label={t('nav.label')}>
          {areas.map(({ to, word }) => (
            <Link key={to} to={to} activeOptions={{ exact: to === '/app' }}>
              {t(word)}
            </Link>
          ))}
        </nav>
        <main id="content" tabIndex={-1}>
          <Suspense fallback={<div className="loading" role="progressbar" aria-label={t('loading')} />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </>
  )
}
