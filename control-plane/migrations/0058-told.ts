import { Migration } from '@mikro-orm/migrations'

/** When people were told of an incident: what a snooze kept quiet from beginning to end, nobody hears the end of either. */
export class Told extends Migration {
  override up(): void {
    this.addSql('alter table incidents add column told_at timestamptz default now()')
  }
}
