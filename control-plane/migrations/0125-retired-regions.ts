import { Migration } from '@mikro-orm/migrations'

/** A region can be retired: agents and results of it are kept, but it is neither shown nor named any more. */
export class RetiredRegions extends Migration {
  override up(): void {
    this.addSql('alter table regions add column retired_at timestamptz')
  }
}
