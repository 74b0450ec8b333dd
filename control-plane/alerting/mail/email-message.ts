import { hash } from 'node:crypto'
import type { SendMailOptions } from 'nodemailer'
import { z } from 'zod'

/** One mail in words, before it is known by which server it leaves. */
export interface EmailMessage {
  /** The same however often it is sent, so that a repeat can be told from another mail. */
  id: string
  tenantId: string
  /** As metrics and logs know it. */
  type: string
  to: { name: string | null; address: string }[]
  subject: string
  text: string
  html: string | null
  headers: Record<string, string>
}

export interface Sender {
  name: string
  address: string
  replyTo: string | null
}

const plain = z.email().max(254)
/** One plain address: nothing that a server could read as two, or as a line of its own. */
export const isAddress = (text: string): boolean => plain.safeParse(text).success && !/[\s,;<>"\p{Cc}]/u.test(text)

/** One line that is taken as it stands: no control characters, and nothing that mail programs would decode. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim()

/** As nodemailer takes it. Many recipients are not shown to each other. */
export function compose(
  { id, to, subject, text, html, headers }: EmailMessage,
  sender: Sender,
  domain: string,
): SendMailOptions {
  const [only, ...others] = to
  return {
    from: { name: oneLine(sender.name), address: sender.address },
    ...(sender.replyTo !== null && { replyTo: { name: '', address: sender.replyTo } }),
    to:
      only && others.length === 0
        ? { name: oneLine(only.name ?? ''), address: only.address }
        : 'undisclosed-recipients:;',
    envelope: { from: sender.address, to: to.map(({ address }) => address) },
    subject: oneLine(subject),
    text,
    ...(html !== null && { html }),
    messageId: `<${hash('sha256', id, 'hex').slice(0, 32)}@${domain}>`,
    headers: { ...headers, 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}
