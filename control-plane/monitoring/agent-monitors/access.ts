/** Who may do what with agent monitors, by both doors. */
export const agentAccess = {
  read: { tenant: 'monitors:read', reseller: 'monitors:read' },
  write: { tenant: 'monitors:write', reseller: 'monitors:write' },
} as const
