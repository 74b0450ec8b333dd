import { useTranslation } from 'react-i18next'
import { Icon } from '../parts/icons.tsx'
import type { Migration } from './queries.ts'

const steps = ['preview', 'import', 'shadow', 'cutover'] as const

/** How many steps are done. */
const doneIn: Record<Migration['state'], number> = {
  draft: 0,
  previewed: 1,
  importing: 1,
  imported: 2,
  shadow: 2,
  ready: 3,
  cutover: 4,
  rolled_back: 4,
  failed: 0,
  cancelled: 0,
}

/** The steps of a migration, those that are done ticked and the present one marked. */
export function Steps({ migration: { state, failed_in: failedIn } }: { migration: Migration }) {
  const { t } = useTranslation('migrations')
  if (state === 'cancelled' || state === 'rolled_back') return null
  const done = doneIn[failedIn ?? state]
  return (
    <ol className="migration-steps" aria-label={t('steps')}>
      {steps.map((step, index) => (
        <li
          key={step}
          className={index < done ? 'done' : ''}
          {...(index === done && { 'aria-current': 'step' as const })}
        >
          {index < done ? <Icon name="check" /> : <span aria-hidden="true">{index + 1}</span>}
          {t(`step.${step}`)}
          {index < done && <span className="unseen">{t('step.done')}</span>}
        </li>
      ))}
    </ol>
  )
}
