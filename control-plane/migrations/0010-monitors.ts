import { Migration } from '@mikro-orm/migrations'

/** One check of a kind in a monitor, dns apart, also when two requests race; when a monitor was switched on or off; and an order for the list by interval. */
export class Monitors extends Migration {
  override up(): void {
    this.addSql(`create unique index checks_one_of_a_kind on checks (monitor_id, type) where type <> 'dns'`)
    this.addSql('alter table monitors add column switched_at timestamptz')
    this.addSql('create index monitors_by_interval on monitors (tenant_id, check_interval, id)')
  }
}
