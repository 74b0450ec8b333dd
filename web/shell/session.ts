import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api, bodyOf } from '../api.ts'

/** The signed-in person, their role in the team at hand, and their teams. */
export const personQuery = queryOptions({
  queryKey: ['person'],
  queryFn: async ({ signal }) => {
    const [user, profile] = await Promise.all([
      bodyOf(api.GET('/api/v1/user', { signal })),
      bodyOf(api.GET('/api/v1/profile', { signal })),
    ])
    const { timezone, teams, preferences, auth_methods: authMethods, chose_locale: choseLocale } = profile.data
    // a session opened by a link or by a team's provider may stay in its team alone
    const isLimited = profile.data.is_limited
    const isOperator = user.is_super_admin === true && !isLimited
    const isReseller = 'managed_teams' in user && !isLimited
    return { ...user, timezone, teams, preferences, authMethods, choseLocale, isLimited, isReseller, isOperator }
  },
  staleTime: 60_000,
})

export const usePerson = () => useSuspenseQuery(personQuery).data
