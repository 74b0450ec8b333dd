import { Migration } from '@mikro-orm/migrations'

/** Indexes for reading: an incident's history in the audit trail, and incidents by their end, those that go on being the latest. */
export class Reading extends Migration {
  override up(): void {
    this.addSql('create index audit_entries_entity on audit_entries (tenant_id, entity_type, entity_id, created_at)')
    this.addSql('drop index incidents_by_resolved')
    this.addSql(
      `create index incidents_by_end on incidents (tenant_id, (coalesce(resolved_at, 'infinity'::timestamptz)) desc, id desc)`,
    )
  }
}
