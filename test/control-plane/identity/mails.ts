import { isMailType, mails } from '#contract/mails.ts'
import { decryptMail } from '#control-plane/outbox/mail.ts'
import { app } from '#test/support/app.ts'

const { platform, config } = app.services

export interface Asked {
  type: string
  recipient: { user_id: string | null; email: string; name: string | null; language: string }
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own data, validated by its schema below
  data: any
}

/** The queued mails of a tenant, oldest first, each validated by its schema. */
export async function mailsOf({ tenantId }: { tenantId: string }): Promise<Asked[]> {
  const { rows } = await platform.query<{ name: string; payload: Omit<Asked, 'type'>; is_personal: boolean }>(
    `select name, payload, is_personal from outbox where kind = 'mail' and tenant_id = $1 order by id`,
    [tenantId],
  )
  return rows.map(({ name, payload, is_personal }) => {
    if (!isMailType(name) || !is_personal) throw new Error(`${name} is no mail, or would be kept.`)
    const data = decryptMail(config, name, payload.data)
    return { type: name, recipient: payload.recipient, data: mails[name].schema.strict().parse(data) }
  })
}

/** The token of the link in the newest mail of a type to an address, asked for in the team’s name. */
export async function linkTo(of: { tenantId: string }, type: string, email: string): Promise<string> {
  const mail = (await mailsOf(of)).findLast(
    each => each.type === type && each.recipient.email.toLowerCase() === email.toLowerCase(),
  )
  const links = Object.entries(mail?.data ?? {}).filter(([name]) => name.endsWith('_url') && name !== 'shown_url')
  return tokenIn(String(links[0]?.[1] ?? ''))
}

/** The token behind the `#` of a link. */
export const tokenIn = (url: string): string => url.split('#')[1] ?? ''
