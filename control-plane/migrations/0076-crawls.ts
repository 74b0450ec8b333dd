import { Migration } from '@mikro-orm/migrations'

/** Crawls of a monitor's site: the run, and every address it knows. What is still to be visited lies here, so that no agent's death loses it. */
export class Crawls extends Migration {
  override up(): void {
    this.addSql(runs)
    this.addSql(pages)
    for (const table of ['crawl_runs', 'crawl_pages']) {
      this.addSql(`alter table ${table} enable row level security; alter table ${table} force row level security`)
      this.addSql(`grant select, insert, update, delete on ${table} to vedette_platform`)
      this.addSql(`create policy platform on ${table} to vedette_platform using (true) with check (true)`)
      this.addSql(`create policy own_tenant on ${table} to vedette_app
        using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))`)
    }
    this.addSql(`grant select, insert, update on crawl_runs to vedette_app; grant select on crawl_pages to vedette_app`)
  }
}

/** `terms` are missing until the crawl is taken up. */
const runs = `
create table crawl_runs (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  cause varchar(10) not null default 'schedule' check (cause in ('schedule', 'request')),
  state varchar(10) not null default 'queued' check (state in ('queued', 'running', 'finished', 'failed', 'cancelled')),
  reason varchar(200),
  region varchar(40),
  terms jsonb,
  page_limit int,
  found int not null default 0,
  visited int not null default 0,
  checked int not null default 0,
  queued int not null default 0,
  broken int not null default 0,
  mixed int not null default 0,
  bytes bigint not null default 0,
  refused jsonb not null default '{}',
  findings jsonb,
  created_at timestamptz not null,
  started_at timestamptz,
  heard_at timestamptz,
  finished_at timestamptz
);
create unique index crawl_runs_one_now on crawl_runs (monitor_id) where state in ('queued', 'running');
create index crawl_runs_open on crawl_runs (created_at) where state in ('queued', 'running');
create index crawl_runs_of_monitor on crawl_runs (monitor_id, created_at desc, id desc);
create index crawl_runs_tenant on crawl_runs (tenant_id);
`

const pages = `
create table crawl_pages (
  id bigint generated always as identity primary key,
  run_id uuid not null references crawl_runs on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  url varchar(2000) not null,
  key uuid not null,
  shape uuid,
  kind varchar(10) not null default 'page' check (kind in ('page', 'asset', 'external')),
  depth int not null,
  hops int not null,
  state varchar(8) not null default 'queued' check (state in ('queued', 'out', 'done')),
  attempt int not null default 0,
  not_before timestamptz,
  status int,
  fault varchar(30),
  message varchar(100),
  skipped varchar(10),
  is_broken boolean not null default false,
  content_type varchar(100),
  bytes bigint,
  took_ms int,
  redirect_to varchar(2000),
  is_truncated boolean not null default false,
  links_found int,
  mixed_active int not null default 0,
  mixed_passive int not null default 0,
  mixed_form int not null default 0,
  mixed jsonb,
  sources jsonb not null default '[]',
  visited_at timestamptz,
  unique (run_id, key)
);
create index crawl_pages_next on crawl_pages (run_id, attempt, depth, id) where state <> 'done';
create index crawl_pages_of_run on crawl_pages (run_id, id);
create index crawl_pages_shape on crawl_pages (run_id, shape) where shape is not null;
create index crawl_pages_found on crawl_pages (run_id, id) where is_broken or mixed is not null;
create index crawl_pages_tenant on crawl_pages (tenant_id);
`
