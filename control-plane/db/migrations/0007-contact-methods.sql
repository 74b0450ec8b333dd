-- contact methods: channels that belong to one person in one team, who has them for as long as the membership
alter table notification_channels
  add column owner_user_id uuid,
  add column position int,
  add column is_account boolean not null default false,
  add column verified_at timestamptz,
  add foreign key (owner_user_id, tenant_id) references memberships(user_id, tenant_id) on delete cascade;
create index notification_channels_of_person on notification_channels (owner_user_id, tenant_id, position)
  where owner_user_id is not null;
create unique index notification_channels_of_account on notification_channels (owner_user_id, tenant_id)
  where is_account;

-- the address of the account is a contact method of each membership, and moves with the address
create function keep_account_contact() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'memberships' then
    insert into notification_channels (id, tenant_id, name, type, config, owner_user_id, position, is_account)
    select gen_random_uuid(), new.tenant_id, 'E-mail', 'email',
      jsonb_build_object('recipients', jsonb_build_array(u.email)), new.user_id, 1, true
    from users u where u.id = new.user_id
    on conflict do nothing;
  else
    update notification_channels set config = config || jsonb_build_object('recipients', jsonb_build_array(new.email))
    where owner_user_id = new.id and is_account;
  end if;
  return null;
end $$;

create trigger memberships_account_contact after insert on memberships for each row when (not new.is_service)
  execute function keep_account_contact();
create trigger users_account_contact after update of email on users for each row
  when (old.email is distinct from new.email) execute function keep_account_contact();

insert into notification_channels (id, tenant_id, name, type, config, owner_user_id, position, is_account)
select gen_random_uuid(), m.tenant_id, 'E-mail', 'email',
  jsonb_build_object('recipients', jsonb_build_array(u.email)), m.user_id, 1, true
from memberships m join users u on u.id = m.user_id where not m.is_service
on conflict do nothing;
