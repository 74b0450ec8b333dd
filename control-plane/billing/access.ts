/** A managed team is billed by its reseller, who needs no way in here. */
export const mayRead = { tenant: 'billing:read' } as const
export const mayWrite = { tenant: 'billing:write' } as const
