import { type RawBuilder, sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { WorkflowName } from '#contract/workflows.ts'
import { rows } from '#control-plane/db/queries.ts'
import { insertWorkflowsSql, wakeSql } from '#control-plane/outbox/emit.ts'

/** Milliseconds of a moment, as the workflows compare them. */
const ms = (column: string) => sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`

/** A start that already waits in the outbox is not added again. */
const isNotWaiting = (id: RawBuilder<unknown>) => sql`not exists (select 1 from outbox o
  where o.kind = 'workflow' and o.done_at is null and o.dead_at is null and o.payload ->> 'id' = ${id})`

const trial = sql`'trial:' || t.id || ':' || ${ms('t.trial_ends_at')}`
const purge = sql`'team-purge:' || t.id || ':' || ${ms('t.deleted_at')}`
const grace = sql`'token-grace:' || t.id || ':' || ${ms('t.expires_at')}`
const expiry = sql`'invitation-expiry:' || i.id || ':' || ${ms('i.expires_at')}`
const billing = sql`'billing:' || s.tenant_id || ':' || s.revision`
const snooze = sql`'snooze-end-' || c.id || '-' || ${ms('c.snoozed_until')}`
const moving = sql`'migration:' || p.id || ':' || p.revision`
const retry = sql`'delivery-retry:' || d.id || ':' || d.replays`

/** One statement a workflow, by name: of every workflow that waits for a moment, the rows that say which. */
const starts = {
  trial: insertWorkflowsSql({
    tenant: 't.tenant_id',
    workflow: 'trial',
    id: trial,
    input: { teamId: 't.id', tenantId: 't.tenant_id', endsAtMs: ms('t.trial_ends_at') },
    from: sql`from managed_teams t where t.trial_ends_at is not null and t.trial_expired_at is null
      and ${isNotWaiting(trial)}`,
  }),
  teamPurge: insertWorkflowsSql({
    tenant: 't.tenant_id',
    workflow: 'teamPurge',
    id: purge,
    input: { teamId: 't.id', tenantId: 't.tenant_id', deletedAtMs: ms('t.deleted_at') },
    from: sql`from managed_teams t where t.deleted_at is not null and ${isNotWaiting(purge)}`,
  }),
  tokenGrace: insertWorkflowsSql({
    tenant: 't.tenant_id',
    workflow: 'tokenGrace',
    id: grace,
    input: { tokenId: 't.id', tenantId: 't.tenant_id', expiresAtMs: ms('t.expires_at') },
    from: sql`from tokens t where t.rotated_at is not null and t.is_active and t.expires_at is not null
      and ${isNotWaiting(grace)}`,
  }),
  invitationExpiry: insertWorkflowsSql({
    tenant: 'i.tenant_id',
    workflow: 'invitationExpiry',
    id: expiry,
    input: { invitationId: 'i.id', tenantId: 'i.tenant_id', expiresAtMs: ms('i.expires_at') },
    from: sql`from invitations i where i.status = 'pending' and ${isNotWaiting(expiry)}`,
  }),
  billing: insertWorkflowsSql({
    tenant: 's.tenant_id',
    workflow: 'billing',
    id: billing,
    input: { tenantId: 's.tenant_id', dueAtMs: ms('s.next_due_at') },
    from: sql`from subscriptions s where s.next_due_at is not null and ${isNotWaiting(billing)}`,
  }),
  snoozeEnd: insertWorkflowsSql({
    tenant: 'c.tenant_id',
    workflow: 'snoozeEnd',
    id: snooze,
    input: { tenantId: 'c.tenant_id', checkId: 'c.id', untilMs: ms('c.snoozed_until') },
    from: sql`from checks c where c.snoozed_until is not null and ${isNotWaiting(snooze)}`,
  }),
  migration: insertWorkflowsSql({
    tenant: 'p.tenant_id',
    workflow: 'migration',
    id: moving,
    input: { tenantId: 'p.tenant_id', migrationId: 'p.id' },
    from: sql`from provider_migrations p where p.state not in ('cutover', 'rolled_back', 'cancelled')
      and ${isNotWaiting(moving)}`,
  }),
  deliveryRetry: insertWorkflowsSql({
    tenant: 'd.tenant_id',
    workflow: 'deliveryRetry',
    id: retry,
    input: { tenantId: 'd.tenant_id', deliveryId: 'd.id' },
    from: sql`from deliveries d where d.status = 'retrying' and ${isNotWaiting(retry)}`,
  }),
} satisfies Record<WorkflowName, RawBuilder<unknown>>

/**
 * Starts, through the outbox, the workflow of every row that waits for a moment: a restored database may have a
 * Temporal without its data. Ids are those of the first start, so that one which Temporal still runs is not started
 * again, and each workflow asks its row what is due.
 */
export async function rebuildTimers(client: PoolClient): Promise<void> {
  for (const statement of Object.values(starts))
    await rows(client)`with started as (${statement}) select ${wakeSql} from started limit 1`
}
