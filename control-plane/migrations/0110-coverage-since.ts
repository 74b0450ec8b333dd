import { Migration } from '@mikro-orm/migrations'

/** Since when a monitor is covered as it is: a region whose results do not come lowers its coverage. */
export class CoverageSince extends Migration {
  override up(): void {
    this.addSql('alter table monitors add column coverage_since timestamptz')
  }
}
