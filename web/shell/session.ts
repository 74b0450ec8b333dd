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
    const isOperator = user.is_super_admin === true
    const isReseller = 'managed_teams' in user
    return { ...user, timezone, teams, preferences, authMethods, choseLocale, isReseller, isOperator }
  },
  staleTime: 60_000,
})

export const usePerson = () => useSuspenseQuery(personQuery).data
