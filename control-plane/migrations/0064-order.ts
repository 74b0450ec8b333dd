import { Migration } from '@mikro-orm/migrations'

/** Whether something earlier about the same monitor is still to be handed on, found without a search. */
export class Order extends Migration {
  override up(): void {
    this.addSql(
      `create index outbox_open_of_monitor on outbox ((payload ->> 'monitor_id'), id) where done_at is null and kind = 'event'`,
    )
  }
}
