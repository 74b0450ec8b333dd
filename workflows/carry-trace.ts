import type { WorkflowInterceptors } from '@temporalio/workflow'
import { traceHeader } from './config.ts'

/**
 * A part of the bundle of workflows: gives the trace that a workflow was started with to its activities. A workflow
 * itself records nothing, as it is replayed.
 */
export const interceptors = (): WorkflowInterceptors => {
  let trace: Record<string, NonNullable<unknown>> = {}
  return {
    inbound: [
      {
        execute(input, next) {
          const received = input.headers[traceHeader]
          if (received) trace = { [traceHeader]: received }
          return next(input)
        },
      },
    ],
    outbound: [{ scheduleActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...trace } }) }],
  }
}
