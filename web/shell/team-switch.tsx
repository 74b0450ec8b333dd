import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { toast } from '../parts/toast.tsx'
import { usePerson } from './session.ts'

// loaded when it is opened, as the menu of the account
const OpenMenu = lazy(async () => ({ default: (await import('../parts/menu.tsx')).OpenMenu }))

/** Written by the tab that switches, read by the others: all of them have one session. */
const key = 'team'

/** The team at hand, for people who are in several: chooses another. The app is loaded again in it. */
export function TeamSwitch() {
  const { t } = useTranslation()
  const { teams, tenant_id: current } = usePerson()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      if (event.key === key && event.newValue !== null && event.newValue !== current) location.assign('/app')
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [current])
  if (teams.length < 2) return null
  const switchTo = async (team: string) => {
    await bodyOf(api.POST('/api/v1/auth/team', { body: { tenant_id: team } }))
    localStorage.setItem(key, team)
    // the same team again later is news too
    localStorage.removeItem(key)
    location.assign('/app')
  }
  return (
    <div className="team-switch">
      <Button ref={button} icon="team" aria-haspopup="menu" aria-expanded={isOpen} onPress={() => setIsOpen(true)}>
        <span className="unseen">{t('teams.label')}: </span>
        {teams.find(team => team.tenant_id === current)?.name}
      </Button>
      {isOpen && (
        <Suspense>
          <OpenMenu
            label={t('teams.label')}
            trigger={button}
            onClose={() => setIsOpen(false)}
            actions={teams.map(({ tenant_id: id, name }) => ({
              id,
              label: name,
              icon: id === current ? 'check' : 'team',
              isDisabled: id === current,
              onAction: () => switchTo(id).catch(toast.failure),
            }))}
          />
        </Suspense>
      )}
    </div>
  )
}
