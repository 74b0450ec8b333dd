-- status pages: what the public sees of a team's monitors
create table status_pages (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name varchar(255) not null,
  slug varchar(63) not null unique,
  description text not null default '',
  state varchar(10) not null default 'draft' check (state in ('draft', 'published')),
  access varchar(15) not null default 'public' check (access in ('public', 'password', 'email_domain', 'ip')),
  password_hash text,
  -- who entered the former password is asked for the present one
  password_changed_at timestamptz,
  allowed_email_domains text[] not null default '{}',
  allowed_ips text[] not null default '{}',
  locale varchar(5) not null default 'en' check (locale in ('en', 'de')),
  locales text[] not null default '{en}',
  timezone varchar(64) not null default 'UTC',
  history_days int not null default 90 check (history_days between 7 and 365),
  show_uptime boolean not null default true,
  show_response boolean not null default false,
  show_values boolean not null default true,
  uptime_mode varchar(10) not null default 'duration' check (uptime_mode in ('duration', 'requests', 'manual')),
  min_incident_minutes int not null default 0 check (min_incident_minutes between 0 and 1440),
  noindex boolean not null default false,
  -- of these four, null is what the branding in effect says
  hide_powered_by boolean,
  primary_color varchar(7),
  logo_url varchar(500),
  logo_url_dark varchar(500),
  theme varchar(5) not null default 'auto' check (theme in ('auto', 'light', 'dark')),
  header_links jsonb not null default '[]',
  footer_links jsonb not null default '[]',
  texts jsonb not null default '{}',
  content_changed_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (tenant_id, id)
);
create index status_pages_by_created on status_pages (tenant_id, created_at, id);

create table status_page_groups (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  page_id uuid not null,
  name varchar(255) not null,
  position int not null,
  is_open boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (page_id, id),
  foreign key (tenant_id, page_id) references status_pages(tenant_id, id) on delete cascade
);
create index status_page_groups_of_tenant on status_page_groups (tenant_id);

-- a component whose monitor is deleted is deleted with it
create table status_page_components (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  page_id uuid not null,
  group_id uuid,
  type varchar(10) not null default 'monitor' check (type in ('monitor', 'group', 'static')),
  monitor_id uuid references monitors on delete cascade,
  monitor_group varchar(100),
  name varchar(255) not null,
  description text not null default '',
  position int not null,
  show_history boolean not null default true,
  status_when_down varchar(20) not null default 'major_outage'
    check (status_when_down in ('degraded_performance', 'partial_outage', 'major_outage')),
  static_status varchar(20)
    check (static_status in ('operational', 'degraded_performance', 'partial_outage', 'major_outage', 'maintenance')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (page_id, id),
  foreign key (tenant_id, page_id) references status_pages(tenant_id, id) on delete cascade,
  foreign key (page_id, group_id) references status_page_groups(page_id, id) on delete set null (group_id)
);
create index status_page_components_of_tenant on status_page_components (tenant_id);
create index status_page_components_of_group on status_page_components (group_id) where group_id is not null;
create index status_page_components_of_monitor on status_page_components (monitor_id) where monitor_id is not null;

-- an incident as the public reads of it, on one page
create table status_page_posts (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  page_id uuid not null,
  incident_id uuid references incidents on delete set null,
  title varchar(255) not null,
  impact varchar(10) not null default 'minor' check (impact in ('none', 'minor', 'major', 'critical')),
  phase varchar(15) not null default 'investigating'
    check (phase in ('investigating', 'identified', 'monitoring', 'resolved')),
  counts_as_downtime boolean not null default false,
  started_at timestamptz not null,
  resolved_at timestamptz,
  postmortem text,
  postmortem_published_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (page_id, id),
  unique (tenant_id, id),
  foreign key (tenant_id, page_id) references status_pages(tenant_id, id) on delete cascade
);
create index status_page_posts_of_page on status_page_posts (page_id, started_at desc, id desc);
create unique index status_page_posts_of_incident on status_page_posts (incident_id, page_id)
  where incident_id is not null;
create index status_page_posts_open on status_page_posts (page_id) where phase <> 'resolved';

-- the components that an incident concerns, and how
create table status_page_post_components (
  post_id uuid not null,
  component_id uuid not null,
  page_id uuid not null,
  tenant_id uuid not null references tenants on delete cascade,
  status varchar(20) not null default 'major_outage'
    check (status in ('operational', 'degraded_performance', 'partial_outage', 'major_outage', 'maintenance')),
  primary key (post_id, component_id),
  foreign key (page_id, post_id) references status_page_posts(page_id, id) on delete cascade,
  foreign key (page_id, component_id) references status_page_components(page_id, id) on delete cascade
);
create index status_page_post_components_of_component on status_page_post_components (component_id);
create index status_page_post_components_of_tenant on status_page_post_components (tenant_id);

create table status_page_updates (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  post_id uuid not null,
  phase varchar(15) not null default 'investigating'
    check (phase in ('investigating', 'identified', 'monitoring', 'resolved')),
  body text not null,
  at timestamptz not null default clock_timestamp(),
  created_by uuid,
  notify_subscribers boolean not null default false,
  -- when the subscribers were queued; null: not yet
  queued_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  foreign key (tenant_id, post_id) references status_page_posts(tenant_id, id) on delete cascade
);
create index status_page_updates_of_post on status_page_updates (post_id, at, id);
create index status_page_updates_of_tenant on status_page_updates (tenant_id);
create index status_page_updates_to_queue on status_page_updates (created_at, id)
  where notify_subscribers and queued_at is null;

create table status_page_update_templates (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name varchar(255) not null,
  phase varchar(15) not null default 'investigating'
    check (phase in ('investigating', 'identified', 'monitoring', 'resolved')),
  title varchar(255),
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index status_page_update_templates_of_tenant on status_page_update_templates (tenant_id, created_at, id);

-- pages on which a window is announced; ids of deleted pages are not shown
alter table maintenance_windows add column status_page_ids uuid[] not null default '{}';

-- processes that serve pages drop what they cached: by id, and by each address that the page had or has
create function notify_status_pages() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform pg_notify('status_pages', jsonb_build_object('page', old.id, 'slug', old.slug)::text);
  end if;
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and old.slug <> new.slug then
    perform pg_notify('status_pages', jsonb_build_object('page', new.id, 'slug', new.slug)::text);
  end if;
  return null;
end $$;
create trigger status_pages_notify after insert or update or delete on status_pages for each row
  execute function notify_status_pages();

-- a monitor that is deleted takes its components along, without a request that touches the page
create function notify_status_page_components() returns trigger language plpgsql as $$
begin
  perform pg_notify('status_pages', jsonb_build_object('page', old.page_id)::text);
  return null;
end $$;
create trigger status_page_components_deleted after delete on status_page_components for each row
  execute function notify_status_page_components();

-- a window that is announced on pages changes them: planned, begun, over, moved or cancelled
create function notify_pages_of_window() returns trigger language plpgsql as $$
declare
  page uuid;
begin
  for page in select distinct unnest(
    case when tg_op <> 'INSERT' then old.status_page_ids end || case when tg_op <> 'DELETE' then new.status_page_ids end)
  loop
    perform pg_notify('status_pages', jsonb_build_object('page', page)::text);
  end loop;
  return null;
end $$;
create trigger maintenance_windows_announced after insert on maintenance_windows for each row
  when (new.status_page_ids <> '{}') execute function notify_pages_of_window();
create trigger maintenance_windows_announced_change after update on maintenance_windows for each row
  when (old.status_page_ids <> '{}' or new.status_page_ids <> '{}') execute function notify_pages_of_window();
create trigger maintenance_windows_announced_end after delete on maintenance_windows for each row
  when (old.status_page_ids <> '{}') execute function notify_pages_of_window();
