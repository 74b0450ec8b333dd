import { useTranslation } from 'react-i18next'
import { Pill } from '../parts/status-pill.tsx'
import type { Incident } from './queries.ts'

interface IncidentStatusProps {
  incident: Pick<Incident, 'status' | 'severity' | 'is_snoozed' | 'acknowledged_at'>
  /** Who has acknowledged it, where that is known. */
  by?: string | undefined
}

/** Where an incident stands: open ones in the colour of their severity until a person has acknowledged them. */
export function IncidentStatus({ incident, by }: IncidentStatusProps) {
  const { t } = useTranslation('parts')
  const { status, severity, is_snoozed, acknowledged_at } = incident
  if (status === 'resolved') return <Pill tone="up">{t('incident.resolved')}</Pill>
  if (is_snoozed)
    return (
      <Pill tone="paused" icon="snooze">
        {t('incident.snoozed')}
      </Pill>
    )
  if (acknowledged_at !== null && status === 'investigating')
    return (
      <Pill tone="warning" icon="check">
        {by === undefined ? t('incident.acknowledged') : t('incident.acknowledgedBy', { name: by })}
      </Pill>
    )
  return (
    <Pill tone={severity === 'minor' ? 'warning' : 'down'} icon={severity === 'minor' ? 'alert' : 'down'}>
      {t(`incident.${status}`)}
    </Pill>
  )
}
