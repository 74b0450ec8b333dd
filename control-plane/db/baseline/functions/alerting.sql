create function tell_alerting() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'tenants' then
    perform pg_notify('alerting', new.id::text);
  else
    if tg_op <> 'INSERT' then perform pg_notify('alerting', old.tenant_id::text); end if;
    if tg_op <> 'DELETE' then perform pg_notify('alerting', new.tenant_id::text); end if;
  end if;
  return null;
end $$;

create trigger email_suppressions_told after insert or update or delete on email_suppressions for each row execute
  function tell_alerting();
create trigger managed_teams_told after insert or update or delete on managed_teams for each row
  execute function tell_alerting();
create trigger notification_channels_change after update on notification_channels for each row when (
  (old.name, old.config, old.secrets, old.is_enabled) is distinct
    from (new.name, new.config, new.secrets, new.is_enabled)
) execute function tell_alerting();
create trigger notification_channels_come_and_go after insert or delete on notification_channels for each row execute
  function tell_alerting();
create trigger notification_rules_told after insert or update or delete on notification_rules for each row execute
  function tell_alerting();
create trigger tenants_told after update on tenants for each row when (
  (old.plan, old.feature_overrides, old.deleted_at) is distinct from (new.plan, new.feature_overrides, new.deleted_at)
) execute function tell_alerting();

create function tell_post() returns trigger language plpgsql as $$
begin
  perform pg_notify('mails', '');
  return null;
end $$;

create trigger outbox_mails_told after insert on outbox for each row when (new.kind = 'mail')
  execute function tell_post();
