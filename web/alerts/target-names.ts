import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api.ts'
import { channelsQuery, targetsQuery } from './queries.ts'

export type TargetType = Schemas['EscalationTargetType']
type Target = Policy['steps'][number]['targets'][number]
type Policy = Schemas['EscalationPolicy']

/** Whom a step can call, by type. The whole team has no id. */
export function useTargets(): Record<Exclude<TargetType, 'team'>, readonly { id: string; name: string }[]> {
  const people = useQuery(targetsQuery).data
  const channels = useQuery(channelsQuery).data?.data ?? []
  return { user: people?.user ?? [], schedule: people?.schedule ?? [], channel: channels }
}

/** The name of a target, as "the person on call in Nights". */
export function useTargetNames(): (target: Target) => string {
  const { t } = useTranslation('alerts')
  const targets = useTargets()
  return ({ type, id, position }) => {
    if (type === 'team') return t('target.team')
    const name = targets[type].find(each => each.id === id)?.name ?? id ?? ''
    return type === 'schedule' ? t(`target.schedule.${position ?? 'current'}`, { name }) : name
  }
}
