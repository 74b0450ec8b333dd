/** The task queue of our workers. */
export const taskQueue = 'vedette'

/** The header by which a workflow and its activities continue the trace that started it. */
export const traceHeader = 'traceparent'

/** The search attribute with the tenant of a workflow. The kind is Temporal's own `WorkflowType`. */
export const tenantAttribute = 'VedetteTenant'
