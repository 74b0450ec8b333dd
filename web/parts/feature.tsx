import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api.ts'
import { planQuery } from '../shared-queries.ts'
import './feature.css'

type Plan = Schemas['Plan']
type Name = keyof Plan['limits']

/** Whether something of the plan is shown at all: as it is, or as an offer of a larger plan. */
export function useIsShown(): (name: Name | undefined) => boolean {
  const { data: plan } = useQuery(planQuery)
  return name =>
    name === undefined ||
    plan === undefined ||
    isPart(plan, name) ||
    plan.upsell.features.some(({ feature }) => feature === name)
}

const isPart = ({ limits }: Plan, name: Name) => limits[name] !== false && limits[name] !== 0

interface FeatureProps {
  name: Name
  children: ReactNode
}

/**
 * What belongs to a feature of the plan. Where the plan lacks it, it is absent, or the offer that the reseller has chosen
 * to show stands in its place.
 */
export function Feature({ name, children }: FeatureProps) {
  const { data: plan } = useQuery(planQuery)
  if (plan === undefined || isPart(plan, name)) return children
  return <Offer upsell={plan.upsell} name={name} />
}

function Offer({ upsell, name }: { upsell: Plan['upsell']; name: Name }) {
  const { t } = useTranslation('parts')
  const offer = upsell.features.find(({ feature }) => feature === name)
  // hidden and silent list none
  if (!offer) return null
  const { suggested_plan: plan, label, url } = offer
  const called = plan === null ? null : (upsell.plan_labels[plan] ?? plan)
  return (
    <p className="offer">
      {label ?? (called === null ? t('feature.missing') : t('feature.from', { plan: called }))}{' '}
      {url !== null && /^(https?|mailto):/.test(url) && (
        <a href={url} target="_blank" rel="noreferrer">
          {t('feature.more')}
        </a>
      )}
    </p>
  )
}
