/** The task queue of our workers. */
export const taskQueue = 'vedette'

/** The search attribute with the tenant of a workflow. The kind is Temporal's own `WorkflowType`. */
export const tenantAttribute = 'VedetteTenant'
