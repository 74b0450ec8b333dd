import type { Caller, TenantContext } from '#control-plane/base/caller.ts'

/** A tenant or a team that a request names: read with its token, in one statement. */
export interface NamedTenant {
  tenantId?: string | undefined
  teamId?: string | undefined
}

export interface AuthenticatedCaller {
  caller: Caller
  /** The named tenant, if the caller's tenant manages it now. */
  managed: TenantContext | null
}

/** What access checks read of tokens, tenants and teams, each time from the database. */
export interface AccessLookup {
  /**
   * The caller behind a bearer token used from this address, or a 401. `beforeAsking` runs before an unknown token is
   * looked up.
   */
  authenticate(bearer: string, ip: string, named?: NamedTenant, beforeAsking?: () => void): Promise<AuthenticatedCaller>
  /** The server behind the token of an agent monitor, or null. */
  server(bearer: string): Promise<{ tokenId: string; monitorId: string; tenant: TenantContext } | null>
  /** The team whose directory has this token, or null. */
  scim(bearer: string): Promise<{ tokenId: string; tenant: TenantContext } | null>
  /** A tenant that exists and is not deleted. */
  tenant(id: string): Promise<TenantContext | null>
  /** A managed team by its own id, of any reseller. */
  managedTeam(id: string): Promise<{ id: string; resellerId: string; tenant: TenantContext } | null>
}
