import { hash } from 'node:crypto'
import { z } from 'zod'
import { events } from '#contract/events.ts'
import { type MailData, type MailType, mails } from '#contract/mails.ts'
import { brandOf } from '#control-plane/alerting/mail/brand.ts'
import { type Rendered, renderMail } from '#control-plane/alerting/mail/render.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { html, ok } from '#control-plane/http/reply.ts'
import { readBranding } from '#control-plane/tenancy/branding/row.ts'
import { readEffective } from '#control-plane/tenancy/branding/view.ts'
import { type Language, languages } from '#locales/languages.ts'

// a change of DNS goes to e-mail channels as the general mail of an event
const types = [...(Object.keys(mails) as MailType[]), 'dns_changed'] as const
const MailTypeName = z.enum(types, 'Is not a type of e-mail.').meta({ id: 'MailType' })
type Previewed = z.output<typeof MailTypeName>

const dnsEvent = 'dns.records_changed'

function exampleOf(type: Previewed): { type: MailType; description: string; data: MailData } {
  if (type !== 'dns_changed') return { type, description: mails[type].description, data: mails[type].example }
  const { description, example: payload } = events.get(dnsEvent)!
  return { type: 'event', description, data: { event: dnsEvent, payload } }
}

const named = { mail_type: MailTypeName }
const query = z.object({ language: z.enum(languages).default('en') })
const access = { reseller: 'portal:read' } as const

const View = z
  .object({
    type: MailTypeName,
    description: z.string(),
    language: z.enum(languages),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
  })
  .meta({ id: 'MailPreview' })

type Asked = Pick<RequestContext, 'em' | 'tenant' | 'services' | 'caller'> & {
  params: { mail_type: string }
  query: { language: Language }
}

/** A mail as it is sent, with the data of the example, in the brand of the reseller. */
async function preview(context: Asked): Promise<Rendered & { type: Previewed; description: string }> {
  const { em, tenant, params, query } = context
  const type = MailTypeName.parse(params.mail_type)
  const branding = await readEffective(context, await readBranding(em, tenant))
  const example = exampleOf(type)
  const rendered = renderMail(example.type, example.data, { language: query.language, brand: brandOf(branding) })
  return { ...rendered, type, description: example.description }
}

export const getMailPreview = endpoint({
  method: 'GET',
  path: '/reseller/mail-previews/{mail_type}',
  operation: 'reseller.mailPreviews.get',
  summary: 'Preview a type of e-mail in your brand',
  description: 'With data of an example.',
  access,
  named,
  query,
  returns: ok({ data: View }),

  async handle(context) {
    const { type, description, subject, text, html: page } = await preview(context)
    return { data: { type, description, language: context.query.language, subject, text, html: page } }
  },
})

/** Mails have their styles inside, and pictures of the brand's host. Nothing of them runs or leads away. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; form-action 'none'; base-uri 'none'; " +
  "frame-ancestors 'self'; sandbox"

export const showMailPreview = endpoint({
  method: 'GET',
  path: '/reseller/mail-previews/{mail_type}/html',
  operation: 'reseller.mailPreviews.show',
  summary: 'Show the preview of a type of e-mail as a page',
  description: 'For a frame of this origin.',
  access,
  named,
  query,
  returns: html<Rendered>({ 'Cache-Control': 'private, no-store', 'Content-Security-Policy': policy }),

  handle: context => preview(context),

  async finish({ html: text }) {
    return { bytes: Buffer.from(text), etag: `W/"${hash('sha1', text, 'base64url')}"` }
  },
})
