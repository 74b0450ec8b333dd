import type { AuditEntity } from './audit-entities.ts'
import type { Caller } from './caller.ts'

/** Mails are sent by the mail worker; the dispatcher hands on all else. */
export type OutboxKind = 'event' | 'workflow' | 'signal' | 'mail'

export interface Context {
  tenantId: string | null
  resellerId: string | null
  caller: Caller
  ip: string
  requestId: string
  now: Date
  /** Nothing may be written: the database sees to it. */
  isReading?: boolean
}

/** Whose audit trail or event: the tenant acted on, the reseller who acts, both, or another of the reseller's teams. */
export type Whose = 'tenant' | 'reseller' | 'both' | { tenantId: string }

interface AuditLine {
  whose: Whose
  action: string
  type: AuditEntity
  id: string | null
  changes: Record<string, unknown> | undefined
}

/** Whom a mail is for, as he was when it was asked for. */
export interface MailRecipient {
  /** null for somebody without an account: who is invited, who subscribes. */
  userId: string | null
  email: string
  name: string | null
  language: string
}

/** What a handler leaves behind besides its rows. */
export class SideEffects {
  readonly audits: AuditLine[] = []
  readonly outbox: { whose: Whose; kind: OutboxKind; name: string; payload: Record<string, unknown> }[] = []
  readonly tasks: (() => void | Promise<void>)[] = []
}
