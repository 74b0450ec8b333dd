import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import i18next from 'i18next'
import { appRoute } from '../shell/routes.ts'
import { plans, type TeamFilters } from './queries.ts'

const area = createRoute({
  getParentRoute: () => appRoute,
  path: '/console',
  loader: () => i18next.loadNamespaces(['console', 'access']),
  component: lazyRouteComponent(() => import('./console.tsx'), 'Console'),
})

const states = ['active', 'paused', 'trial', 'trash'] as const
export type ListFilters = Omit<TeamFilters, 'status'> & { status?: (typeof states)[number] }
const among = <Name extends string>(names: readonly Name[], value: unknown) => names.find(name => name === value)

/** Empty values are left out of the address. */
function listFilters({ search, plan, status, page }: Record<string, unknown>): ListFilters {
  const knownPlan = among(plans, plan)
  const knownState = among(states, status)
  return {
    ...(typeof search === 'string' && search !== '' && { search }),
    ...(knownPlan && { plan: knownPlan }),
    ...(knownState && { status: knownState }),
    ...(Number(page) > 1 && { page: Number(page) }),
  }
}

export const teamTabs = ['summary', 'plan', 'people', 'tokens', 'audit', 'manage'] as const
export type TeamTab = (typeof teamTabs)[number]

function teamSearch({ tab }: Record<string, unknown>): { tab?: TeamTab } {
  const known = among(teamTabs, tab)
  return known ? { tab: known } : {}
}

export const consoleRoutes = [
  area.addChildren([
    createRoute({
      getParentRoute: () => area,
      path: '/',
      component: lazyRouteComponent(() => import('./overview.tsx'), 'ConsoleOverview'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/teams',
      validateSearch: listFilters,
      component: lazyRouteComponent(() => import('./teams/list.tsx'), 'TeamList'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/teams/$team',
      validateSearch: teamSearch,
      component: lazyRouteComponent(() => import('./teams/team.tsx'), 'ManagedTeamPage'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/templates',
      component: lazyRouteComponent(() => import('./templates/list.tsx'), 'Templates'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/profiles',
      component: lazyRouteComponent(() => import('./profiles.tsx'), 'Profiles'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/webhooks',
      component: lazyRouteComponent(() => import('./webhooks/list.tsx'), 'Webhooks'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/webhooks/$webhook',
      component: lazyRouteComponent(() => import('./webhooks/deliveries.tsx'), 'Deliveries'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/mails',
      loader: () => i18next.loadNamespaces('smtp'),
      component: lazyRouteComponent(() => import('./mails/list.tsx'), 'Mails'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/api',
      component: lazyRouteComponent(() => import('./reference.tsx'), 'ApiReference'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/tokens',
      component: lazyRouteComponent(() => import('./tokens.tsx'), 'ResellerTokens'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/portal',
      component: lazyRouteComponent(() => import('./portal.tsx'), 'Portal'),
    }),
  ]),
] as const
