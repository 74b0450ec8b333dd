import { Client, Connection, WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import { taskQueue } from './config.ts'

const callMs = 5_000

export interface Temporal {
  /** Starts a durable process by name. One that was started before, even if it has ended, counts as started. */
  start(name: string, id: string, input: unknown): Promise<void>
  /** Rejects while Temporal is away. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Temporal's front end. Reached when it is first needed, and again after it was away. */
export function openTemporal({ address, namespace }: { address: string; namespace: string }): Temporal {
  // whoever calls tries again by itself; the library's own retries would go on after the connection is closed
  const connection = Connection.lazy({ address, interceptors: [] })
  const client = new Client({ connection, namespace })
  return {
    async start(name, id, input) {
      try {
        await connection.withDeadline(Date.now() + callMs, () =>
          client.workflow.start(name, { taskQueue, workflowId: id, args: [input], workflowIdReusePolicy: 'REJECT_DUPLICATE' }),
        )
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      }
    },
    async ping() {
      await connection.withDeadline(Date.now() + 1_500, () => connection.workflowService.getSystemInfo({}))
    },
    close: () => connection.close(),
  }
}
