export const mayRead = { tenant: 'escalation:read', reseller: 'notifications:read' } as const
export const mayWrite = { tenant: 'escalation:write', reseller: 'notifications:write' } as const
