import { hash } from 'node:crypto'
import type { SendMailOptions } from 'nodemailer'
import { z } from 'zod'

/** A rendered mail, before a server and a sender are chosen. */
export interface EmailMessage {
  /** The same for each attempt, so that receivers recognise a repeated mail. */
  id: string
  tenantId: string
  /** The type in metrics and logs. */
  type: string
  to: { name: string | null; address: string }[]
  subject: string
  text: string
  html: string | null
  headers: Record<string, string>
  attachments?: Attachment[]
}

export interface Attachment {
  filename: string
  contentType: string
  content: Buffer
}

export interface Sender {
  name: string
  address: string
  replyTo: string | null
}

const plain = z.email().max(254)
/** Whether a text is one plain address, and no server could read it as two, or as another line. */
export const isAddress = (text: string): boolean => plain.safeParse(text).success && !/[\s,;<>"\p{Cc}]/u.test(text)

/** A text as one line, without control characters and without sequences that mail programs would decode. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim()

/** The mail for nodemailer. If there are several recipients, none sees the others. */
export function compose(
  { id, to, subject, text, html, headers, attachments }: EmailMessage,
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
    ...(attachments && { attachments }),
    messageId: `<${hash('sha256', id, 'hex').slice(0, 32)}@${domain}>`,
    headers: { ...headers, 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}
