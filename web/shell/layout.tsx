import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Overlay } from '../access/overlay.tsx'
import { Announcer } from '../live/announcer.tsx'
import { ConnectionBanner } from '../live/banner.tsx'
import { startLive } from '../live/live.ts'
import { Button } from '../parts/button.tsx'
import { Toasts } from '../parts/toast.tsx'
import { forgetDraftOfOthers } from '../parts/unsaved.ts'
import { AccountMenu } from './account-menu.tsx'
import { actingIn } from './acting.ts'
import { ActingBar } from './acting-bar.tsx'
import { BrandFoot, BrandMark } from './brand-mark.tsx'
import { LeaveQuestion } from './leave-question.tsx'
import { Navigation } from './navigation.tsx'
import { PausedBar } from './paused-bar.tsx'
import { usePreferences } from './preferences.ts'
import { usePerson } from './session.ts'
import { useSessionWatch } from './session-watch.ts'
import { useShortcuts } from './shortcuts.ts'
import { TeamSwitch } from './team-switch.tsx'
import './layout.css'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const Shortcuts = lazy(async () => ({ default: (await import('./shortcuts-dialog.tsx')).Shortcuts }))

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
  const [opened, open] = useShortcuts()
  const close = () => open(null)
  const [isNavOpen, setIsNavOpen] = useNavigationOnPhones()
  usePreferences()
  useSessionWatch()
  useEffect(() => {
    if (person.language === i18n.language) return
    document.documentElement.lang = person.language
    void i18n.changeLanguage(person.language)
  }, [person.language, i18n])
  useEffect(loadCharts, [])
  const { id, tenant_id } = person
  useEffect(() => startLive({ id, tenant_id }), [id, tenant_id])
  useEffect(() => forgetDraftOfOthers(id), [id])
  return (
    <I18nProvider locale={i18n.language}>
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      {team && <ActingBar team={team.name} person={person.name} />}
      <ConnectionBanner />
      <PausedBar />
      <div className="frame">
        <header className="side" data-open={isNavOpen || undefined}>
          <div className="side-head">
            <BrandMark />
            <Button
              variant="quiet"
              icon={isNavOpen ? 'close' : 'menu'}
              aria-label={t('nav.menu')}
              aria-expanded={isNavOpen}
              aria-controls="navigation"
              onPress={() => setIsNavOpen(!isNavOpen)}
            />
          </div>
          <div className="side-body" id="navigation">
            <Button icon="search" aria-keyshortcuts="Control+K" onPress={() => open('palette')}>
              {t('palette.open')}
            </Button>
            {!team && <TeamSwitch />}
            <Navigation />
            <AccountMenu onShortcuts={() => open('shortcuts')} />
            <BrandFoot />
          </div>
        </header>
        <main id="content" tabIndex={-1}>
          <Suspense fallback={<div className="loading" role="progressbar" aria-label={t('loading')} />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <Announcer />
      <LeaveQuestion />
      <Overlay />
      <Toasts />
      <Suspense>
        {opened === 'shortcuts' && <Shortcuts onClose={close} />}
        {opened === 'palette' && <Palette isOpen onClose={close} />}
      </Suspense>
    </I18nProvider>
  )
}

/** Most pages that follow the first have charts: they are loaded while nothing else is to be done. */
function loadCharts() {
  const load = () => void import('../../charts/line.ts').catch(() => undefined)
  // Safari has no idle callbacks
  if ('requestIdleCallback' in window) requestIdleCallback(load)
}

/** Whether the navigation is open on a phone: a page that is opened closes it, and so does Esc. */
function useNavigationOnPhones() {
  const state = useState(false)
  const [isOpen, setIsOpen] = state
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of the path that closes it
  useEffect(() => setIsOpen(false), [path, setIsOpen])
  useEffect(() => {
    if (!isOpen) return
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setIsOpen(false)
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOpen])
  return state
}
