import type { Caller, TenantFacts } from '#control-plane/kernel/caller.ts'

/** What the doors must be given: the kernel knows no resource. Each asks the database live. */
export interface Keys {
  /** The caller behind a bearer token used from this address, or a 401. */
  authenticate(bearer: string, ip: string): Promise<Caller>
  /** A tenant that exists and is not deleted. */
  tenant(id: string): Promise<TenantFacts | null>
  /** A tenant this reseller manages now. */
  managedTenant(resellerId: string, tenantId: string): Promise<TenantFacts | null>
  /** A managed team by its own id, whoever manages it. */
  managedTeam(id: string): Promise<{ id: string; resellerId: string; tenant: TenantFacts } | null>
}
