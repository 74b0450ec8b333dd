import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'
import { type IncidentFilters, severities, shownStatuses } from './queries.ts'

const text = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

/** The filters of the list as the address says them; what is not one of ours is left out. */
export function filtersOf(said: Record<string, unknown>): IncidentFilters {
  const status = shownStatuses.find(one => one === said.status)
  const severity = severities.find(one => one === said.severity)
  const texts = {
    search: text(said.search),
    monitor: text(said.monitor),
    tag: text(said.tag),
    cursor: text(said.cursor),
  }
  const flags = { acknowledged: said.acknowledged, archived: said.archived }
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)),
    ...Object.fromEntries(Object.entries(flags).filter(([, value]) => typeof value === 'boolean')),
    ...(status !== undefined && { status }),
    ...(severity !== undefined && { severity }),
  }
}

export const incidentRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/incidents',
    validateSearch: filtersOf,
    loader: () => loadAreaWords('incidents', 'monitors'),
    component: lazyPage(() => import('./list.tsx'), 'IncidentList'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/incidents/$incident',
    loader: () => loadAreaWords('incidents'),
    component: lazyPage(() => import('./incident.tsx'), 'IncidentPage'),
  }),
] as const
