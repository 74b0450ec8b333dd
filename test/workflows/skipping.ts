import { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime } from '@temporalio/worker'

/** Runs once a file, before other parts of Temporal: only errors are logged. */
export const quiet = () =>
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { forward: {}, filter: { core: 'ERROR', other: 'ERROR' } } },
  })

/** The SDK gives the server five seconds to begin, which a busy machine may not have; it is then started again. */
export async function startServer(path: string, attempts = 5): Promise<TestWorkflowEnvironment> {
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({
      client: { identity: 'a test' },
      server: { executable: { type: 'existing-path', path } },
    })
  } catch (error) {
    if (attempts === 1) throw error
    return startServer(path, attempts - 1)
  }
}
