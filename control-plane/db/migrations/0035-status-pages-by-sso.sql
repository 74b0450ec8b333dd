-- a page that people of the team's own identity provider read, without becoming members
alter table status_pages drop constraint status_pages_access_check;
alter table status_pages add constraint status_pages_access_check
  check (access in ('public', 'password', 'email_domain', 'ip', 'sso'));

-- a sign-in that leads to a status page and not to the app: the page, the address below which the visitor began, and
-- when the provider has proven the person. From then on the row is a ticket that the page takes once.
alter table sso_logins
  add column status_page_id uuid references status_pages on delete cascade,
  add column return_to varchar(500),
  add column admitted_at timestamptz,
  add check ((status_page_id is null) = (return_to is null)),
  add check (admitted_at is null or status_page_id is not null);
create index sso_logins_of_page on sso_logins (status_page_id) where status_page_id is not null;

-- who may read such a page follows from the provider and the domains of the team: processes read the page again
create function notify_pages_by_sso() returns trigger language plpgsql as $$
begin
  perform pg_notify('status_pages', jsonb_build_object('page', id, 'slug', slug)::text)
    from status_pages where tenant_id = coalesce(new.tenant_id, old.tenant_id) and access = 'sso';
  return null;
end $$;
create trigger sso_configs_notify_pages after insert or update or delete on sso_configs
  for each row execute function notify_pages_by_sso();
create trigger sso_domains_notify_pages_added after insert or delete on sso_domains
  for each row execute function notify_pages_by_sso();
create trigger sso_domains_notify_pages after update on sso_domains
  for each row when ((old.verified_at is null) is distinct from (new.verified_at is null))
  execute function notify_pages_by_sso();
