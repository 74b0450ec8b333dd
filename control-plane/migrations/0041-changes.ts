import { Migration } from '@mikro-orm/migrations'

/**
 * Changes of verdict are asked for by check alone. An index by tenant and time was never the right one, and was taken instead while
 * the table had just grown; deleting a monitor, which takes its changes along, had none.
 */
export class Changes extends Migration {
  override up(): void {
    this.addSql(
      'drop index verdict_changes_tenant; create index verdict_changes_monitor on verdict_changes (monitor_id)',
    )
  }
}
