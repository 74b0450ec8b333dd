import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'

const area = createRoute({
  getParentRoute: () => appRoute,
  path: '/app/alerts',
  loader: () => loadAreaWords('alerts', 'access'),
  component: lazyPage(() => import('./alerts.tsx'), 'Alerts'),
})

export const deliveryStates = ['pending', 'held', 'retrying', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface DeliveryFilters {
  channel?: string
  status?: DeliveryState
}

/** Empty values are left out of the address. */
function deliveryFilters({ channel, status }: Record<string, unknown>): DeliveryFilters {
  const known = deliveryStates.find(each => each === status)
  return { ...(typeof channel === 'string' && channel !== '' && { channel }), ...(known && { status: known }) }
}

export const alertRoutes = [
  area.addChildren([
    createRoute({
      getParentRoute: () => area,
      path: '/',
      component: lazyPage(() => import('./channels.tsx'), 'Channels'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/rules',
      component: lazyPage(() => import('./rules.tsx'), 'Rules'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/policies',
      component: lazyPage(() => import('./policies.tsx'), 'Policies'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/deliveries',
      validateSearch: deliveryFilters,
      component: lazyPage(() => import('./deliveries.tsx'), 'Deliveries'),
    }),
  ]),
] as const
