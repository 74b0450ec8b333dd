-- addresses that pages had: no other team gets one for 30 days, and that of a page that has another leads to it
create table status_page_former_slugs (
  slug varchar(63) primary key,
  tenant_id uuid not null references tenants on delete cascade,
  -- null: the page is deleted
  page_id uuid references status_pages on delete set null,
  reserved_until timestamptz not null
);
create index status_page_former_slugs_tenant on status_page_former_slugs (tenant_id, reserved_until desc);
create index status_page_former_slugs_page on status_page_former_slugs (page_id);

-- The lock lets one who takes an address wait for one who gives it up at the same time. A page that is inserted with an
-- address that is reserved is not inserted, as one whose address is taken. A team keeps its last hundred addresses.
create function reserve_slug() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    perform pg_advisory_xact_lock(hashtextextended('status page:' || old.slug, 0));
    insert into status_page_former_slugs (slug, tenant_id, page_id, reserved_until)
    select old.slug, id, case when tg_op = 'UPDATE' then old.id end, clock_timestamp() + interval '30 days'
    from tenants where id = old.tenant_id
    on conflict (slug) do update
      set tenant_id = excluded.tenant_id, page_id = excluded.page_id, reserved_until = excluded.reserved_until;
    delete from status_page_former_slugs where slug in (
      select slug from status_page_former_slugs where tenant_id = old.tenant_id
      order by reserved_until desc offset 100);
    if tg_op = 'DELETE' then return old; end if;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('status page:' || new.slug, 0));
  if exists (
    select from status_page_former_slugs
    where slug = new.slug and tenant_id <> new.tenant_id and reserved_until > clock_timestamp()
  ) then
    if tg_op = 'INSERT' then return null; end if;
    raise unique_violation using message = 'the slug is reserved', constraint = 'status_pages_slug_key';
  end if;
  delete from status_page_former_slugs where slug = new.slug;
  return new;
end $$;

create trigger status_pages_reserve_slug before insert or delete on status_pages
  for each row execute function reserve_slug();
create trigger status_pages_reserve_changed_slug before update on status_pages for each row
  when (old.slug <> new.slug) execute function reserve_slug();
