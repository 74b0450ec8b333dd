import type { TokenOwnership } from '#control-plane/access/tokens/general.ts'
import type { TenantContext } from '#control-plane/base/caller.ts'

export const keysOf = (tenant: TenantContext): TokenOwnership => ({
  noun: 'api_key',
  holder: { kind: 'svc', tenantId: tenant.id },
})

export const reading = { tenant: 'settings:manage', reseller: 'api-keys:read' } as const
export const writing = { tenant: 'settings:manage', reseller: 'api-keys:write' } as const
export const withinOwn =
  'To create, rotate or enable a key needs each of its scopes; for a reseller’s token, the matching domain.'
export const byMaker =
  'It may do at most what its creator may do in the team at that moment, and nothing once they have ' +
  'left; a rotation makes the caller its creator.'
