import { type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import type { PageModel } from '#control-plane/publishing/status-pages/render/model.ts'
import type { Language } from '#locales/languages.ts'

interface AccessLink {
  email: string
  language: Language
  url: string
  expiresAt: Date
}

/** Sends the link to a private page to a visitor who may see it. */
export async function mailLink(
  { platform, config }: Services,
  page: PageModel,
  { email, language, url, expiresAt }: AccessLink,
): Promise<void> {
  const [row] = await rows(platform)<Row<'status_pages', 'tenant_id'>>`
    select tenant_id from status_pages where id = ${page.id}`
  const tenantId = row?.tenant_id
  if (tenantId === undefined) return
  await addMail(platform, config, {
    tenantId,
    type: 'status_page_access',
    recipient: { userId: null, email, name: null, language },
    data: {
      page_name: page.texts[language]?.name ?? page.name,
      access_url: url,
      expires_at: expiresAt.toISOString().replace('Z', '000Z'),
    },
  })
}
