import { useTranslation } from 'react-i18next'
import { Pill, type Status } from '../parts/status-pill.tsx'
import type { Migration } from './queries.ts'

const tones: Record<Migration['state'], Status> = {
  draft: 'pending',
  previewed: 'maintenance',
  importing: 'pending',
  imported: 'maintenance',
  shadow: 'maintenance',
  ready: 'up',
  cutover: 'up',
  rolled_back: 'paused',
  failed: 'down',
  cancelled: 'paused',
}

/** How far a migration is. */
export function StatePill({ state }: { state: Migration['state'] }) {
  const { t } = useTranslation('migrations')
  const tone = tones[state]
  return (
    <Pill tone={tone} {...(tone === 'maintenance' && { icon: 'refresh' })}>
      {t(`state.${state}`)}
    </Pill>
  )
}
