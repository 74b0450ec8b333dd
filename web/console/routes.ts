import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'
import { plans, type TeamFilters } from './queries.ts'

const area = createRoute({
  getParentRoute: () => appRoute,
  path: '/console',
  loader: () => loadAreaWords('console', 'access'),
  component: lazyPage(() => import('./console.tsx'), 'Console'),
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
      component: lazyPage(() => import('./overview.tsx'), 'ConsoleOverview'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/teams',
      validateSearch: listFilters,
      component: lazyPage(() => import('./teams/list.tsx'), 'TeamList'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/teams/$team',
      validateSearch: teamSearch,
      loader: () => loadAreaWords('tokens'),
      component: lazyPage(() => import('./teams/team.tsx'), 'ManagedTeamPage'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/templates',
      component: lazyPage(() => import('./templates/list.tsx'), 'Templates'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/profiles',
      component: lazyPage(() => import('./profiles.tsx'), 'Profiles'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/webhooks',
      component: lazyPage(() => import('./webhooks/list.tsx'), 'Webhooks'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/webhooks/$webhook',
      component: lazyPage(() => import('./webhooks/deliveries.tsx'), 'Deliveries'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/mails',
      loader: () => loadAreaWords('smtp'),
      component: lazyPage(() => import('./mails/list.tsx'), 'Mails'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/api',
      component: lazyPage(() => import('./reference.tsx'), 'ApiReference'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/tokens',
      loader: () => loadAreaWords('tokens'),
      component: lazyPage(() => import('./tokens.tsx'), 'ResellerTokens'),
    }),
    createRoute({
      getParentRoute: () => area,
      path: '/portal',
      component: lazyPage(() => import('./portal.tsx'), 'Portal'),
    }),
  ]),
] as const
