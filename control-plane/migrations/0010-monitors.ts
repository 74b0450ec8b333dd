import { Migration } from '@mikro-orm/migrations'

/** One check of a kind in a monitor, dns apart, also when two requests race; when a monitor was switched on or off; and an order for every way monitors are listed. */
export class Monitors extends Migration {
  override up(): void {
    this.addSql(`create unique index checks_one_of_a_kind on checks (monitor_id, type) where type <> 'dns'`)
    // judged at the end of a statement: one call may hand a reference from one monitor to another
    this.addSql(`alter table monitors drop constraint monitors_tenant_id_external_ref_key,
      add constraint monitors_external_ref unique (tenant_id, external_ref) deferrable initially immediate`)
    this.addSql('alter table monitors add column switched_at timestamptz')
    this.addSql('create index monitors_by_interval on monitors (tenant_id, check_interval, id)')
    this.addSql('create index monitors_by_url on monitors (tenant_id, url, id)')
    this.addSql('create index checks_of_monitor on checks (tenant_id, monitor_id, created_at, id)')
  }
}
