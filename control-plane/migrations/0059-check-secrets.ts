import { Migration } from '@mikro-orm/migrations'

/** Secrets in checks' settings are kept encrypted beside them; a secret that changes alone is a change of the work, too. */
export class CheckSecrets extends Migration {
  override up(): void {
    this.addSql(`
alter table checks add column secrets text;
drop trigger checks_change on checks;
create trigger checks_change after update on checks for each row when (
  (old.type, old.is_enabled, old.settings, old.secrets, old.interval, old.severity) is distinct from
  (new.type, new.is_enabled, new.settings, new.secrets, new.interval, new.severity)
) execute function tell_assignments()`)
  }
}
