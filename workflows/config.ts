/** Where workers of ours look for work. */
export const taskQueue = 'vedette'

/** The search attribute by which a tenant's processes are found. Their kind is Temporal's own `WorkflowType`. */
export const tenantAttribute = 'VedetteTenant'
