import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useIsShown } from '../parts/feature.tsx'
import { actingIn } from './acting.ts'
import { areas } from './areas.ts'
import { useMay } from './may.ts'
import { usePerson } from './session.ts'

export function Navigation() {
  const { t } = useTranslation()
  const person = usePerson()
  const team = actingIn()
  const { administers } = useMay()
  const isShown = useIsShown()
  return (
    <nav aria-label={t('nav.label')}>
      {areas
        .map(group => ({ ...group, areas: group.areas.filter(({ feature }) => isShown(feature)) }))
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
  )
}
