import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayRead } from './access.ts'
import { htmlOfMarkdown } from './render/markdown.ts'

export const previewText = endpoint({
  method: 'POST',
  path: '/status-pages/preview-text',
  operation: 'statusPages.previewText',
  summary: 'Preview a Markdown text as status pages show it',
  description: 'HTML within the text is shown as text. Links lead to http, https and mailto alone.',
  access: mayRead,
  reads: true,
  body: z.object({ text: z.string().max(20_000) }),
  returns: ok({ data: z.object({ html: z.string() }).meta({ id: 'StatusPageTextPreview' }) }),

  handle: ({ body }) => ({ data: { html: htmlOfMarkdown(body.text) } }),
})
