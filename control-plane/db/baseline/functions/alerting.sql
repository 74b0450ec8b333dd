create function notify_alerting() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'tenants' then
    perform pg_notify('alerting', new.id::text);
  else
    if tg_op <> 'INSERT' then perform pg_notify('alerting', old.tenant_id::text); end if;
    if tg_op <> 'DELETE' then perform pg_notify('alerting', new.tenant_id::text); end if;
  end if;
  return null;
end $$;

create trigger email_suppressions_notify after insert or update or delete on email_suppressions for each row execute
  function notify_alerting();
create trigger managed_teams_notify after insert or update or delete on managed_teams for each row
  execute function notify_alerting();
create trigger notification_channels_change after update on notification_channels for each row when (
  (old.name, old.config, old.secrets, old.is_enabled) is distinct
    from (new.name, new.config, new.secrets, new.is_enabled)
) execute function notify_alerting();
create trigger notification_channels_added_or_deleted after insert or delete on notification_channels for each row execute
  function notify_alerting();
create trigger notification_rules_notify after insert or update or delete on notification_rules for each row execute
  function notify_alerting();
create trigger tenants_notify after update on tenants for each row when (
  (old.plan, old.feature_overrides, old.deleted_at) is distinct from (new.plan, new.feature_overrides, new.deleted_at)
) execute function notify_alerting();

create function notify_mails() returns trigger language plpgsql as $$
begin
  perform pg_notify('mails', '');
  return null;
end $$;

create trigger outbox_mails_notify after insert on outbox for each row when (new.kind = 'mail')
  execute function notify_mails();
