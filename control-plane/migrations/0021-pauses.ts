import { Migration } from '@mikro-orm/migrations'

/** Time in which nobody was asked to look is noted where it is caused, so that no writer can forget it and uptime never counts it. */
export class Pauses extends Migration {
  override up(): void {
    this.addSql(`
create function note_monitor_pause() returns trigger language plpgsql as $$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
  select c.tenant_id, c.monitor_id, c.id, clock_timestamp(), case when new.is_enabled and not new.held_by_plan then coalesce(c.verdict, 'none') else 'paused' end
  from checks c where c.monitor_id = new.id and c.is_enabled;
  return null;
end $$;

create function note_check_pause() returns trigger language plpgsql as $$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
  select new.tenant_id, new.monitor_id, new.id, clock_timestamp(), case when new.is_enabled then coalesce(new.verdict, 'none') else 'paused' end
  from monitors m where m.id = new.monitor_id and m.is_enabled and not m.held_by_plan;
  return null;
end $$;

create trigger monitors_pause after update on monitors for each row
  when ((old.is_enabled and not old.held_by_plan) is distinct from (new.is_enabled and not new.held_by_plan)) execute function note_monitor_pause();
create trigger checks_pause after update on checks for each row
  when (old.is_enabled is distinct from new.is_enabled) execute function note_check_pause()`)
  }
}
