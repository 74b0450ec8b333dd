export const mayRead = { tenant: 'status-pages:read', reseller: 'status-pages:read' } as const
export const mayWrite = { tenant: 'status-pages:write', reseller: 'status-pages:write' } as const

/** Bounds of what a page has, each tested at its edge. */
export const limits = {
  components: 200,
  groups: 50,
  updates: 500,
  templates: 100,
  links: 10,
  domains: 50,
  addresses: 200,
} as const
