import type { TokenOwnership } from '#control-plane/access/tokens/general.ts'
import type { TenantContext } from '#control-plane/base/caller.ts'

export const keysOf = (tenant: TenantContext): TokenOwnership => ({
  noun: 'api_key',
  holder: { kind: 'svc', tenantId: tenant.id },
})

export const reading = { tenant: 'settings:manage', reseller: 'api-keys:read' } as const
export const writing = { tenant: 'settings:manage', reseller: 'api-keys:write' } as const
export const withinOwn =
  'Whoever makes, rotates or enables a key needs each scope it has; for a reseller’s token that is the matching domain.'
export const byMaker =
  'It does at most what the person who made it may do in the team at that moment, and nothing once that person has left it: whoever rotates it takes it over.'
