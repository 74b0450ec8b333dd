import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'

const loader = () => loadAreaWords('on-call', 'access')

export interface ScheduleSpan {
  /** A week without it. */
  view?: 'day'
  /** A day such as `2026-01-05` within what is shown; today without it. */
  day?: string
}

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

/** What the address says; what is not one of ours is left out. */
const spanOf = ({ view, day }: Record<string, unknown>): ScheduleSpan => ({
  ...(view === 'day' && { view }),
  ...(isDay(day) && !Number.isNaN(Date.parse(day)) && { day }),
})

export const onCallRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/on-call',
    loader,
    component: lazyPage(() => import('./list.tsx'), 'ScheduleList'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/on-call/$schedule',
    validateSearch: spanOf,
    loader,
    component: lazyPage(() => import('./schedule.tsx'), 'SchedulePage'),
  }),
] as const
