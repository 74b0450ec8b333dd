import { startControlPlane } from '#cli/serve/serve.ts'
import type { Config } from '#control-plane/config.ts'

/** A process of the API, for a test that ends it by force: it is sent its configuration and sends its address. */
process.once('message', async (config: Config) => {
  const plane = await startControlPlane(config, ['api'])
  process.send?.(plane.baseUrl)
})
process.once('disconnect', () => process.exit())
