import { Migration } from '@mikro-orm/migrations'

/**
 * What could not be handed on after so many attempts is dead: it waits for the operator, and nothing waits behind it. `waits`: how often
 * its receiver was away, which is no attempt. A dead row is done, so that nobody claims it.
 */
export class DeadEvents extends Migration {
  override up(): void {
    this.addSql(`
alter table outbox add column dead_at timestamptz, add column dead_id uuid, add column waits int not null default 0;
create unique index outbox_dead on outbox (dead_id) where dead_id is not null;
create index outbox_dead_by_moment on outbox (dead_at, id) where dead_at is not null`)
  }
}
