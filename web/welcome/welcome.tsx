import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Done } from './done.tsx'
import { Notify } from './notify.tsx'
import { type Step, steps } from './routes.ts'
import { Watch } from './watch.tsx'
import './welcome.css'

/** The first minute of a team: watch a site, name who is notified, and what there is to go on with. */
export function Welcome() {
  const { t } = useTranslation('welcome')
  const { step = 'watch', monitor } = useSearch({ from: '/app/app/welcome' })
  const navigate = useNavigate()
  const go = (next: Step, made = monitor) =>
    navigate({ to: '/app/welcome', search: { step: next, ...(made !== undefined && { monitor: made }) } })
  return (
    <div className="page welcome">
      <ol className="welcome-steps" aria-label={t('steps')}>
        {steps.map(each => (
          <li key={each} {...(each === step && { 'aria-current': 'step' })}>
            {t(`step.${each}`)}
          </li>
        ))}
      </ol>
      {step !== 'done' && (
        <Link className="welcome-leave" to="/app">
          {t('skip.all')}
        </Link>
      )}
      {step === 'watch' && <Watch monitor={monitor} onMade={made => go('watch', made)} onNext={() => go('notify')} />}
      {step === 'notify' && <Notify onNext={() => go('done')} />}
      {step === 'done' && <Done monitor={monitor} />}
    </div>
  )
}
