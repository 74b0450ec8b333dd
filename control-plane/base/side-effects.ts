import type { EventName, Payload } from '#contract/events.ts'
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
  /** null for a recipient without an account: invited, or a subscriber. */
  userId: string | null
  email: string
  name: string | null
  language: string
}

/** Emits an event with its payload, as `contract/events.ts` declares it. */
export type Emit = <Name extends EventName>(name: Name, payload: Payload<Name>, whose?: Exclude<Whose, 'both'>) => void

/** What a handler leaves behind besides its rows. */
export class SideEffects {
  readonly audits: AuditLine[] = []
  readonly outbox: { whose: Whose; kind: OutboxKind; name: string; payload: object }[] = []
  readonly tasks: (() => void | Promise<void>)[] = []

  /** Adds an event. `whose` decides who receives it. */
  readonly emit: Emit = (name, payload, whose = 'tenant') => {
    this.outbox.push({ whose, kind: 'event', name, payload })
  }
}
