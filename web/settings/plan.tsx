import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { number } from '../../contract/figures.ts'
import type { Schemas } from '../api.ts'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { isUnlimited, planQuery } from '../shared-queries.ts'
import { useMay } from '../shell/may.ts'
import './plan.css'

type Plan = Schemas['Plan']
type Limits = Plan['limits']

/** Limits that something is counted against. */
const counted = [
  'monitors',
  'agent_limit',
  'status_pages',
  'team_members',
  'pending_invitations',
  'api_keys',
  'subscribers',
  'maintenance_windows',
  'escalation_policies',
] as const
const plain = ['regions_per_monitor', 'crawl_pages', 'mails_per_day'] as const

/** What the plan contains, what of it is used, and what is over the limit. */
export function PlanPage() {
  const { t, i18n } = useTranslation('settings')
  const plan = useSuspenseQuery(planQuery).data
  const { isActing } = useMay()
  const { limits, usage, upsell } = plan
  const over = plan.over_limit
  const features = (Object.keys(limits) as (keyof Limits)[]).filter(name => typeof limits[name] === 'boolean')
  return (
    <>
      <section className="card">
        <h2>{isUnlimited(plan) ? t('plan.none') : t('plan.name', { name: upsell.plan_label })}</h2>
        {isUnlimited(plan) && <p>{t('plan.none.says')}</p>}
        {plan.on_trial && plan.trial_ends_at && (
          <p>
            {t('plan.trial')} <Moment at={plan.trial_ends_at} />{' '}
            {plan.plan_after_trial &&
              t('plan.afterTrial', { plan: upsell.plan_labels[plan.plan_after_trial] ?? plan.plan_after_trial })}
          </p>
        )}
        {over.length > 0 && <p role="alert">{t('plan.over.says', { count: over.length })}</p>}
        {upsell.url ? (
          <a className="button primary" href={upsell.url}>
            {t('plan.upgrade')}
          </a>
        ) : (
          !isActing && !isUnlimited(plan) && <Link to="/app/settings/billing">{t('nav.billing')}</Link>
        )}
      </section>
      <section className="card">
        <h2>{t('plan.limits')}</h2>
        <Table
          caption={t('plan.limits')}
          rows={counted}
          keyOf={name => name}
          columns={[
            { id: 'limit', header: t('plan.limit'), cell: name => t(`feature.${name}`) },
            {
              id: 'used',
              header: t('plan.used'),
              cell: name => (
                <Used
                  used={usage[name]}
                  limit={limits[name]}
                  isOver={over.includes(name)}
                  threshold={upsell.threshold}
                />
              ),
            },
          ]}
        />
        <dl className="figures">
          {plain.map(name => (
            <div key={name}>
              <dt>{t(`feature.${name}`)}</dt>
              <dd>{limits[name] === null ? t('plan.unlimited') : number(limits[name], i18n.language)}</dd>
            </div>
          ))}
          <div>
            <dt>{t('feature.min_check_interval')}</dt>
            <dd>{t('plan.seconds', { count: limits.min_check_interval })}</dd>
          </div>
          <div>
            <dt>{t('feature.data_retention_days')}</dt>
            <dd>{t('plan.days', { count: limits.data_retention_days })}</dd>
          </div>
          <div>
            <dt>{t('feature.api_access')}</dt>
            <dd>{t(`plan.access.${limits.api_access}`)}</dd>
          </div>
        </dl>
      </section>
      <section className="card">
        <h2>{t('plan.features')}</h2>
        <ul className="plan-features">
          {features.map(name => (
            <li key={name} className={limits[name] ? '' : 'soft'}>
              {t(`feature.${name}`)}: {t(limits[name] ? 'plan.included' : 'plan.missing')}
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

interface UsedProps {
  used: number
  limit: number | null
  isOver: boolean
  threshold: number
}

function Used({ used, limit, isOver, threshold }: UsedProps) {
  const { t, i18n } = useTranslation('settings')
  const isNear = limit !== null && limit > 0 && used >= limit * threshold
  return (
    <div className="plan-used">
      <span className="number">
        {t('plan.of', {
          used: number(used, i18n.language),
          limit: limit === null ? t('plan.unlimited') : number(limit, i18n.language),
        })}
      </span>
      {limit !== null && limit > 0 && (
        <meter min={0} max={limit} high={limit * threshold} value={Math.min(used, limit)} aria-hidden="true" />
      )}
      {isOver ? <strong className="plan-over">{t('plan.over')}</strong> : isNear && <span>{t('plan.near')}</span>}
    </div>
  )
}
