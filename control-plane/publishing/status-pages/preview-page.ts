import { z } from 'zod'
import { ConcurrencyLimit } from '#control-plane/base/concurrency-limit.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { html } from '#control-plane/http/reply.ts'
import { languages } from '#locales/languages.ts'
import { mayWrite } from './access.ts'
import { PageChanges } from './input.ts'
import { type Document, renderPage } from './render/documents.ts'
import { makeHtmlOf } from './render/markdown.ts'
import { readDraft } from './site/read-page.ts'

/** Changes in an address, which must not be longer than servers and proxies take. */
const longestDraft = 6_000

const Draft = z
  .string()
  .max(longestDraft)
  .transform((text, { addIssue }): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      addIssue({ code: 'custom', message: 'Must be changes of a status page as JSON.' })
      return z.NEVER
    }
  })
  .pipe(PageChanges)
  .default({})

export const previewStatusPage = endpoint({
  method: 'GET',
  path: '/status-pages/{status_page}/preview',
  operation: 'statusPages.preview',
  summary: 'Preview a status page',
  description:
    'Also a draft, with changes that are not saved. ' +
    'The page as visitors would see it, without its script, for a frame of this origin. `draft` has changes as ' +
    '`PATCH` takes them, as JSON.',
  access: mayWrite,
  query: z.object({
    language: z.enum(languages).optional().meta({ description: 'By default that of the page.' }),
    draft: Draft,
  }),
  detached: true,
  limit: new ConcurrencyLimit({ atOnce: 4, waiting: 40 }),
  returns: html<Document>({ 'Cache-Control': 'private, no-store' }),

  async handle({ params, query, tenant, services }) {
    const model = await readDraft(services, { tenantId: tenant.id, id: params.status_page, changes: query.draft })
    if (!model) throw notFound('Status page')
    const language = query.language ?? model.locale
    await makeHtmlOf(model)
    return renderPage(model, {
      language,
      isForced: false,
      base: `/status/${model.slug}`,
      staleSince: null,
      isPreview: true,
    })
  },

  async finish({ html: text, etag, contentSecurityPolicy }) {
    return { bytes: Buffer.from(text), etag, headers: { 'Content-Security-Policy': contentSecurityPolicy } }
  },
})
