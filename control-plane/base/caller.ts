import type { Role } from '#contract/scopes.ts'

export const tokenKinds = ['ss', 'rk', 'ik', 'svc', 'sk'] as const
export type TokenKind = (typeof tokenKinds)[number]
/** Beside tokens of people and teams: `ag-` enrols a regional agent once, `am-` belongs to one customer's server. */
export const secretKinds = [...tokenKinds, 'ag', 'am'] as const
export type SecretKind = (typeof secretKinds)[number]

/** A tenant as doors and handlers need it. */
export interface TenantContext {
  id: string
  name: string
  slug: string
  plan: string
  featureOverrides: Record<string, unknown>
  isReseller: boolean
}

/** Who is calling: read from the token on every request, never cached. */
export interface Caller {
  tokenId: string
  kind: TokenKind
  scopes: string[]
  /** When the token ends, if it ever does: what it makes may not live longer. A session's moves on with its use. */
  expiresAt: Date | null
  /** A session that is bound to its team and changes no credentials. */
  isLocked: boolean
  tenant: TenantContext
  user: { id: string; name: string; email: string; role: Role; isSuperAdmin: boolean; language: string } | null
  /** Behind a key of the team: the person who made it, whose role it follows. */
  maker: string | null
  /** Behind an impersonation token: the reseller's person who made it, while `user` is the team's service user. */
  impersonator: { userId: string; tenantId: string } | null
}

/** Nobody: what public endpoints are called by. */
export const anonymous: Caller = {
  tokenId: '',
  kind: 'ss',
  scopes: [],
  expiresAt: null,
  isLocked: false,
  tenant: { id: '', name: '', slug: '', plan: 'free', featureOverrides: {}, isReseller: false },
  user: null,
  maker: null,
  impersonator: null,
}
