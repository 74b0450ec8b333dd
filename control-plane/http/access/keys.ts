import type { Caller, TenantFacts } from '#control-plane/base/caller.ts'

/** A tenant or a team that a request names: looked up with its token, in one statement. */
export interface Named {
  tenantId?: string | undefined
  teamId?: string | undefined
}

export interface Recognised {
  caller: Caller
  /** What was named, if the caller's tenant manages it at this moment. */
  managed: TenantFacts | null
}

/** What the doors must be given: the kernel knows no resource. Each asks the database live. */
export interface Keys {
  /** The caller behind a bearer token used from this address, or a 401. `beforeAsking` is called before a token that is not known is looked up. */
  authenticate(bearer: string, ip: string, named?: Named, beforeAsking?: () => void): Promise<Recognised>
  /** The server behind the token of an agent monitor, or null. */
  server(bearer: string): Promise<{ tokenId: string; monitorId: string; tenant: TenantFacts } | null>
  /** A tenant that exists and is not deleted. */
  tenant(id: string): Promise<TenantFacts | null>
  /** A managed team by its own id, whoever manages it. */
  managedTeam(id: string): Promise<{ id: string; resellerId: string; tenant: TenantFacts } | null>
}
