/** The scopes that endpoints of agent monitors need, of tenants and of resellers. */
export const agentAccess = {
  read: { tenant: 'monitors:read', reseller: 'monitors:read' },
  write: { tenant: 'monitors:write', reseller: 'monitors:write' },
} as const
