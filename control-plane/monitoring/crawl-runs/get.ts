import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findRun } from './row.ts'
import { CrawlRunView, viewRun } from './view.ts'

export const getCrawlRun = endpoint({
  method: 'GET',
  path: '/crawl-runs/{crawl_run}',
  summary: 'Read a crawl',
  description: 'How far it is, and what it found.',
  tag: 'crawl-runs',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  returns: ok({ data: CrawlRunView }),

  async handle({ em, tenant, params }) {
    return { data: viewRun(await findRun(em, tenant, params.crawl_run)) }
  },
})
