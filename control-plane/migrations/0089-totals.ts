import { Migration } from '@mikro-orm/migrations'

/** A team's changes of verdict, check by check and in order, read from the index alone: what all its monitors were judged together needs no sorting. */
export class Totals extends Migration {
  override up(): void {
    this.addSql(
      'create index verdict_changes_of_tenant on verdict_changes (tenant_id, check_id, at, id) include (verdict)',
    )
  }
}
