import {
  Client,
  Connection,
  isGrpcServiceError,
  type WorkflowClientInterceptor,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { defaultPayloadConverter } from '@temporalio/common'
import { markAway } from '#analytics/away.ts'
import { activeSpan } from '#control-plane/base/tracing.ts'
import { taskQueue, traceHeader } from './config.ts'
import { isUnknownAttribute, searchAttributesOf } from './search.ts'

const callMs = 5_000

export interface Temporal {
  /**
   * Starts a workflow by name. A workflow of this id that was started before, even if it has ended, counts as
   * started.
   */
  start(name: string, id: string, input: unknown): Promise<void>
  /** Signals a workflow. Does nothing for one that has ended or was never started. */
  signal(id: string, name: string): Promise<void>
  /** Rejects while Temporal is away. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A client of Temporal that connects on first use, and again after an outage. */
export function openTemporal({ address, namespace }: { address: string; namespace: string }): Temporal {
  // callers retry themselves; the library's own retries would go on after the connection is closed
  const connection = Connection.lazy({ address, interceptors: [] })
  const client = new Client({ connection, namespace, interceptors: { workflow: [carryTrace] } })

  const start = (name: string, workflowId: string, input: unknown, tenantId: string | undefined) =>
    connection.withDeadline(Date.now() + callMs, () =>
      client.workflow.start(name, {
        taskQueue,
        workflowId,
        args: [input],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        ...(tenantId && { typedSearchAttributes: searchAttributesOf(tenantId) }),
      }),
    )

  return {
    async start(name, id, input) {
      try {
        await start(name, id, input, tenantOf(input)).catch(error => {
          if (!isUnknownAttribute(error)) throw error
          return start(name, id, input, undefined)
        })
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw markedAway(error)
      }
    },
    async signal(id, name) {
      try {
        await connection.withDeadline(Date.now() + callMs, () => client.workflow.getHandle(id).signal(name))
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw markedAway(error)
      }
    },
    async ping() {
      await connection.withDeadline(Date.now() + 1_500, () => connection.workflowService.getSystemInfo({}))
    },
    close: () => connection.close(),
  }
}

/** A workflow continues the trace in which it is started. */
const carryTrace: WorkflowClientInterceptor = {
  start(input, next) {
    const traceparent = activeSpan()?.traceparent
    if (traceparent === undefined) return next(input)
    return next({
      ...input,
      headers: { ...input.headers, [traceHeader]: defaultPayloadConverter.toPayload(traceparent) },
    })
  },
}

const tenantOf = (input: unknown): string | undefined =>
  typeof input === 'object' && input !== null && 'tenantId' in input && typeof input.tenantId === 'string'
    ? input.tenantId
    : undefined

/** gRPC: cancelled, too late, out of resources, aborted, unavailable. */
const awayCodes = [1, 4, 8, 10, 14]

/** Marks errors of an unavailable Temporal, or one without its namespace, as no fault of the workflow to start. */
function markedAway(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ((isGrpcServiceError(cause) && awayCodes.includes(cause.code)) || cause.name === 'NamespaceNotFoundError')
      return markAway(error)
  return error
}
