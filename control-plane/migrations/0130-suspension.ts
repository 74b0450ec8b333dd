import { Migration } from '@mikro-orm/migrations'

/**
 * A tenant that its operator has suspended. It rests as a paused one does, so that everything that heeds a pause heeds this too; whether
 * it was paused before is kept, and what its reseller pauses or ends meanwhile changes that alone.
 */
export class Suspension extends Migration {
  override up(): void {
    this.addSql(`
alter table tenants
  add column suspended_at timestamptz,
  add column suspended_reason varchar(255),
  add column paused_before_suspension timestamptz;

create function keep_suspended() returns trigger language plpgsql as $$
begin
  if new.suspended_at is null then
    new.paused_at := old.paused_before_suspension;
    new.paused_before_suspension := null;
    new.suspended_reason := null;
  elsif old.suspended_at is null then
    new.paused_before_suspension := old.paused_at;
    new.paused_at := coalesce(old.paused_at, new.suspended_at);
  elsif new.paused_at is distinct from old.paused_at then
    new.paused_before_suspension := new.paused_at;
    new.paused_at := old.paused_at;
  end if;
  return new;
end $$;
create trigger tenants_keep_suspended before update on tenants for each row
  when (old.suspended_at is not null or new.suspended_at is not null) execute function keep_suspended();

create trigger tenants_tell_identity_suspension after update on tenants for each row
  when (old.suspended_at is distinct from new.suspended_at) execute function tell_identity('id')`)
  }
}
