import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from '../api.ts'

type OfTeam = Schemas['ApiKeysCreateRequest']
type OfReseller = Schemas['AuthCreateResellerTokenRequest']

/** What a person enters for a new token. */
export interface NewToken {
  name: string
  scopes: string[]
  expires_at: string | null
  allowed_ips?: string[]
}

const of = (token: string) => ({ path: { token } })
const teamScopes = (signal: AbortSignal) => bodyOf(api.GET('/api/v1/api-tokens/scopes', { signal }))

/** The families of tokens. They differ in whom they act for, in their scopes and in how long they last. */
export const families = {
  /** Act for a person in one team. */
  personal: {
    key: ['api-tokens'],
    list: (page: number, signal: AbortSignal) =>
      bodyOf(api.GET('/api/v1/api-tokens', { params: { query: { page } }, signal })),
    scopes: teamScopes,
    lifetimes: ['never', '7', '30', '90', '365'],
    lifetime: '90',
    hasAddresses: true,
    create: (body: NewToken) => bodyOf(api.POST('/api/v1/api-tokens', { body: body as OfTeam })),
    put: (token: string, isActive: boolean) =>
      bodyOf(api.PATCH('/api/v1/api-tokens/{token}', { params: of(token), body: { is_active: isActive } })),
    rotate: (token: string, hours: number) =>
      bodyOf(api.POST('/api/v1/api-tokens/{token}/rotate', { params: of(token), body: { grace_period_hours: hours } })),
    revoke: (token: string) => bodyOf(api.DELETE('/api/v1/api-tokens/{token}', { params: of(token) })),
  },
  /** Act for a team. */
  keys: {
    key: ['api-keys'],
    list: (page: number, signal: AbortSignal) =>
      bodyOf(api.GET('/api/v1/api-keys', { params: { query: { page } }, signal })),
    scopes: teamScopes,
    lifetimes: ['never', '7', '30', '90', '365'],
    lifetime: '90',
    hasAddresses: true,
    create: (body: NewToken) => bodyOf(api.POST('/api/v1/api-keys', { body: body as OfTeam })),
    put: (token: string, isActive: boolean) =>
      bodyOf(api.PATCH('/api/v1/api-keys/{token}', { params: of(token), body: { is_active: isActive } })),
    rotate: (token: string, hours: number) =>
      bodyOf(api.POST('/api/v1/api-keys/{token}/rotate', { params: of(token), body: { grace_period_hours: hours } })),
    revoke: (token: string) => bodyOf(api.DELETE('/api/v1/api-keys/{token}', { params: of(token) })),
  },
  /** Act for a reseller in all its teams. */
  reseller: {
    key: ['reseller', 'tokens'],
    list: (page: number, signal: AbortSignal) =>
      bodyOf(api.GET('/api/v1/reseller/tokens', { params: { query: { page } }, signal })),
    scopes: (signal: AbortSignal) => bodyOf(api.GET('/api/v1/reseller/tokens/scopes', { signal })),
    lifetimes: ['never', '30', '90', '365'],
    lifetime: '365',
    hasAddresses: false,
    create: (body: NewToken) => bodyOf(api.POST('/api/v1/reseller/tokens', { body: body as OfReseller })),
    put: (token: string) => bodyOf(api.POST('/api/v1/reseller/tokens/{token}/toggle', { params: of(token) })),
    rotate: (token: string, hours: number) =>
      bodyOf(
        api.POST('/api/v1/reseller/tokens/{token}/rotate', { params: of(token), body: { grace_period_hours: hours } }),
      ),
    revoke: (token: string) => bodyOf(api.DELETE('/api/v1/reseller/tokens/{token}', { params: of(token) })),
  },
} as const
export type Family = keyof typeof families

/** What the families have in common. Only tokens of a team can be stopped by a problem. */
export type Token = Omit<Schemas['ResellerToken'], 'purpose' | 'scopes'> & {
  scopes: readonly string[]
  problem?: Schemas['ApiToken']['problem']
}

export const tokensQuery = (family: Family, page: number) =>
  queryOptions({
    queryKey: [...families[family].key, 'list', page],
    queryFn: ({ signal }): Promise<{ data: Token[]; meta: Schemas['ApiTokenList']['meta'] }> =>
      families[family].list(page, signal),
  })
export const scopesQuery = (family: Family) =>
  queryOptions({
    queryKey: [...families[family].key, 'scopes'],
    queryFn: ({ signal }): Promise<{ data: { value: string; description: string }[] }> =>
      families[family].scopes(signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
