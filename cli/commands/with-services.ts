import { createLog } from '#cli/serve/log.ts'
import { createServices, type OwnServices } from '#cli/serve/services.ts'
import { readConfig } from '#control-plane/config.ts'

/** Works with the stores of an environment, and leaves them. */
export async function withServices(
  env: NodeJS.ProcessEnv,
  work: (services: OwnServices) => Promise<void>,
): Promise<void> {
  const services = createServices(readConfig(env), createLog('warn'))
  try {
    await work(services)
  } finally {
    await Promise.all([services.platform.end(), services.accessPool.end(), services.clickhouse.close()])
  }
}
