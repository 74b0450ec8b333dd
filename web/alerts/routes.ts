import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { appRoute } from '../shell/routes.ts'

const area = createRoute({
  getParentRoute: () => appRoute,
  path: '/app/alerts',
  loader: () => i18next.loadNamespaces(['alerts', 'access']),
  component: lazyRouteComponent(() => import('./alerts.tsx'), 'Alerts'),
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
      component: lazyRouteComponent(() => import('./channels.tsx'), 'Channels'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/rules',
      component: lazyRouteComponent(() => import('./rules.tsx'), 'Rules'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/policies',
      component: lazyRouteComponent(() => import('./policies.tsx'), 'Policies'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/deliveries',
      validateSearch: deliveryFilters,
      component: lazyRouteComponent(() => import('./deliveries.tsx'), 'Deliveries'),
    }),
  ]),
] as const
