import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Menu } from '../parts/menu.tsx'
import { toast } from '../parts/toast.tsx'
import { usePerson } from './session.ts'

/** Written by the tab that switches, read by the others: all of them have one session. */
const key = 'team'

/** The team at hand, for people who are in several: chooses another. The app is loaded again in it. */
export function TeamSwitch() {
  const { t } = useTranslation()
  const { teams, tenant_id: current } = usePerson()
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
      <Menu
        label={t('teams.label')}
        trigger={
          <Button icon="team">
            <span className="unseen">{t('teams.label')}: </span>
            {teams.find(team => team.tenant_id === current)?.name}
          </Button>
        }
        actions={teams.map(({ tenant_id: id, name }) => ({
          id,
          label: name,
          icon: id === current ? 'check' : 'team',
          isDisabled: id === current,
          onAction: () => switchTo(id).catch(toast.failure),
        }))}
      />
    </div>
  )
}
