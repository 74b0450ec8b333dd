import { useTranslation } from 'react-i18next'
import { Pill } from '../parts/status-pill.tsx'
import type { Incident } from './queries.ts'

/** Where an incident stands: open ones in the colour of their severity, resolved ones as well. */
export function IncidentStatus({ incident }: { incident: Pick<Incident, 'status' | 'severity' | 'is_snoozed'> }) {
  const { t } = useTranslation('parts')
  const { status, severity, is_snoozed } = incident
  if (status === 'resolved') return <Pill tone="up">{t('incident.resolved')}</Pill>
  if (is_snoozed)
    return (
      <Pill tone="paused" icon="snooze">
        {t('incident.snoozed')}
      </Pill>
    )
  return (
    <Pill tone={severity === 'minor' ? 'warning' : 'down'} icon={severity === 'minor' ? 'alert' : 'down'}>
      {t(`incident.${status}`)}
    </Pill>
  )
}
