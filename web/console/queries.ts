import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from '../api.ts'
import { api, bodyOf } from '../api.ts'
import type { Language } from '../words.ts'

export type ManagedTeam = Schemas['ManagedTeam']
export const plans = ['free', 'hobby', 'starter', 'pro'] as const
export type Plan = (typeof plans)[number]

export interface TeamFilters {
  search?: string
  plan?: Plan
  status?: 'active' | 'paused' | 'trial'
  page?: number
}

/** So many teams a page: as many as one batch takes. */
export const teamsPerPage = 100

export const overviewQuery = queryOptions({
  queryKey: ['reseller', 'overview'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/reseller/overview', { signal })),
})
export const teamsQuery = ({ search, plan, status, page = 1 }: TeamFilters) =>
  queryOptions({
    queryKey: ['reseller', 'teams', { search, plan, status, page }],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/reseller/managed-teams', {
          params: {
            query: {
              page,
              per_page: teamsPerPage,
              ...(search && { search }),
              ...(plan && { plan: [plan] }),
              ...(status && { status }),
            },
          },
          signal,
        }),
      ),
  })
export const trashedQuery = (page: number) =>
  queryOptions({
    queryKey: ['reseller', 'teams', 'trashed', page],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/reseller/managed-teams/trashed', { params: { query: { page } }, signal })),
  })

const of = (id: string) => ({ path: { managed_team: id } })
export const teamQuery = (id: string) =>
  queryOptions({
    queryKey: ['reseller', 'team', id],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/reseller/managed-teams/{managed_team}', { params: of(id), signal })),
  })
export const summaryQuery = (id: string) =>
  queryOptions({
    queryKey: ['reseller', 'team', id, 'summary'],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/reseller/managed-teams/{managed_team}/summary', { params: of(id), signal })),
  })
/** The monitors of a team by their status. */
export const statsQuery = (id: string) =>
  queryOptions({
    queryKey: ['reseller', 'team', id, 'stats'],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/reseller/managed-teams/{managed_team}/dashboard/stats', { params: of(id), signal })),
  })
export const usageQuery = (id: string, period: string) =>
  queryOptions({
    queryKey: ['reseller', 'team', id, 'usage', period],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/reseller/managed-teams/{managed_team}/usage', {
          params: { ...of(id), query: { period } },
          signal,
        }),
      ),
  })
export const overridesQuery = (id: string) =>
  queryOptions({
    queryKey: ['reseller', 'team', id, 'overrides'],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/reseller/managed-teams/{managed_team}/feature-overrides', { params: of(id), signal })),
  })
export const teamPlanQuery = (id: string) =>
  queryOptions({
    queryKey: ['reseller', 'team', id, 'plan'],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/reseller/managed-teams/{managed_team}/plan', { params: of(id), signal })),
  })
export const teamMembersQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['reseller', 'team', id, 'members', page],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/reseller/managed-teams/{managed_team}/members', {
          params: { ...of(id), query: { page } },
          signal,
        }),
      ),
  })
export const teamInvitationsQuery = (id: string) =>
  queryOptions({
    queryKey: ['reseller', 'team', id, 'invitations'],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/reseller/managed-teams/{managed_team}/invitations', {
          params: { ...of(id), query: { status: ['pending'], per_page: 100 } },
          signal,
        }),
      ),
  })
export const teamKeysQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['reseller', 'team', id, 'keys', page],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/reseller/managed-teams/{managed_team}/api-keys', {
          params: { ...of(id), query: { page } },
          signal,
        }),
      ),
  })
export const teamAuditQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['reseller', 'team', id, 'audit', page],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/reseller/managed-teams/{managed_team}/audit-log', {
          params: { ...of(id), query: { page } },
          signal,
        }),
      ),
  })
export const templatesQuery = queryOptions({
  queryKey: ['reseller', 'templates'],
  queryFn: ({ signal }) =>
    bodyOf(api.GET('/api/v1/reseller/monitor-templates', { params: { query: { per_page: 100 } }, signal })),
})
export const profilesQuery = queryOptions({
  queryKey: ['reseller', 'profiles'],
  queryFn: ({ signal }) =>
    bodyOf(api.GET('/api/v1/reseller/provisioning-profiles', { params: { query: { per_page: 100 } }, signal })),
})
export const webhooksQuery = queryOptions({
  queryKey: ['reseller', 'webhooks'],
  queryFn: ({ signal }) =>
    bodyOf(api.GET('/api/v1/reseller/webhooks', { params: { query: { per_page: 100 } }, signal })),
})
export const deliveriesQuery = (webhook: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['reseller', 'webhooks', webhook, 'deliveries', cursor],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/reseller/webhooks/{webhook}/deliveries', {
          params: { path: { webhook }, query: cursor === undefined ? {} : { cursor } },
          signal,
        }),
      ),
  })
export const undeliveredQuery = (page: number) =>
  queryOptions({
    queryKey: ['reseller', 'undelivered-mails', page],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/reseller/undelivered-mails', { params: { query: { page } }, signal })),
  })
export const portalQuery = queryOptions({
  queryKey: ['reseller', 'portal'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/reseller/portal', { signal })),
})
export const domainsQuery = queryOptions({
  queryKey: ['reseller', 'domains'],
  queryFn: ({ signal }) =>
    bodyOf(api.GET('/api/v1/reseller/custom-domains', { params: { query: { per_page: 100 } }, signal })),
})
export const suppressionQuery = queryOptions({
  queryKey: ['reseller', 'email-suppression'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/reseller/email-suppression', { signal })),
})
export type MailKind = Schemas['MailPreview']['type']
export const mailPreviewQuery = (kind: MailKind, language: Language) =>
  queryOptions({
    queryKey: ['reseller', 'mail-previews', kind, language],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/reseller/mail-previews/{mail_type}', {
          params: { path: { mail_type: kind }, query: { language } },
          signal,
        }),
      ),
  })
export const openapiQuery = queryOptions({
  queryKey: ['reseller', 'openapi'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/reseller/openapi', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})
