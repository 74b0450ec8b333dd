import { BoundedRunner } from '#bounded/runner.ts'
import type { PagesConfig } from '#control-plane/config.ts'
import { openFolderSite } from '#control-plane/publishing/status-pages/site/open.ts'
import { Health } from './health.ts'
import { type Listening, listen } from './listen.ts'
import { createLog } from './log.ts'
import { sendPlain } from './plain-page.ts'

const requestGraceMs = 5_000

/** Serves status pages from a folder alone: no database, no other process of the service. */
export async function startPages(config: PagesConfig, log = createLog(config.logLevel)): Promise<Listening> {
  const bounded = new BoundedRunner()
  const site = openFolderSite({ ...config, log, bounded })
  const health = new Health()
  const front = await listen({
    host: config.host,
    port: config.port,
    handle(request, response) {
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
      if (health.serve(path, response)) return
      if (site.handle(request, response)) return
      sendPlain(path, request, response, { status: 404, message: 'There is nothing here.', code: 'not_found' })
    },
  })
  const close = async (graceMs: number) => {
    await front.close(graceMs)
    await bounded.close(0)
  }
  return { ...front, close }
}

/** `vedette serve --role pages` without stores: runs until a signal stops it. */
export async function servePages(config: PagesConfig): Promise<void> {
  const log = createLog(config.logLevel)
  const front = await startPages(config, log)
  log.info({ base_url: front.url, folder: config.folder }, 'status pages are up')
  await new Promise<void>(resolve => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
  await front.close(requestGraceMs)
}
