create extension citext;

grant execute on function change_managed_tenant(uuid,jsonb) to vedette_app
grant execute on function claim_outbox(text[],integer,integer) to vedette_platform
grant execute on function mark_stream() to vedette_platform
grant usage on schema public to public
grant usage on schema public to vedette_app
grant usage on schema public to vedette_platform

create table agent_enrolments (
  id uuid not null,
  hash bytea not null,
  region character varying(40),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  agent_id uuid,
  created_at timestamp with time zone default now() not null,
  is_reusable boolean default false not null,
  created_by uuid,
  constraint agent_enrolments_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id),
  constraint agent_enrolments_hash_key UNIQUE (hash),
  constraint agent_enrolments_pkey PRIMARY KEY (id),
  constraint agent_enrolments_reusable_check CHECK (((NOT is_reusable) OR (region IS NOT NULL)))
);
alter table agent_enrolments enable row level security;
alter table agent_enrolments force row level security;
create policy platform on agent_enrolments as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on agent_enrolments to vedette_platform;

create table agent_monitors (
  monitor_id uuid not null,
  tenant_id uuid not null,
  check_id uuid not null,
  host jsonb,
  processes jsonb,
  processes_at timestamp with time zone,
  memory jsonb default '{}'::jsonb not null,
  last_seen_at timestamp with time zone,
  stored_at timestamp with time zone,
  judged_at timestamp with time zone,
  exceeded jsonb default '[]'::jsonb not null,
  outcome character varying(10),
  reported text,
  reported_at timestamp with time zone,
  host_name text,
  host_heard_at timestamp with time zone,
  host_from timestamp with time zone,
  second_host text,
  second_since timestamp with time zone,
  second_heard_at timestamp with time zone,
  newest_at timestamp with time zone,
  late_since timestamp with time zone,
  constraint agent_monitors_check_id_fkey FOREIGN KEY (check_id) REFERENCES checks(id) ON DELETE CASCADE,
  constraint agent_monitors_check_id_key UNIQUE (check_id),
  constraint agent_monitors_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint agent_monitors_pkey PRIMARY KEY (monitor_id),
  constraint agent_monitors_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX agent_monitors_tenant ON public.agent_monitors USING btree (tenant_id);
alter table agent_monitors enable row level security;
alter table agent_monitors force row level security;
create policy own_tenant on agent_monitors as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on agent_monitors as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select on agent_monitors to vedette_app;
grant delete, insert, select, update on agent_monitors to vedette_platform;

create table agent_tokens (
  id uuid not null,
  tenant_id uuid not null,
  monitor_id uuid not null,
  hash bytea not null,
  tail character varying(4) not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone,
  constraint agent_tokens_hash_key UNIQUE (hash),
  constraint agent_tokens_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES agent_monitors(monitor_id) ON DELETE CASCADE,
  constraint agent_tokens_pkey PRIMARY KEY (id),
  constraint agent_tokens_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX agent_tokens_monitor ON public.agent_tokens USING btree (monitor_id);
CREATE UNIQUE INDEX agent_tokens_one_in_force ON public.agent_tokens USING btree (monitor_id) WHERE (expires_at IS NULL);
alter table agent_tokens enable row level security;
alter table agent_tokens force row level security;
create policy own_tenant on agent_tokens as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on agent_tokens as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (expires_at) on agent_tokens to vedette_app;
grant delete, insert, select, update on agent_tokens to vedette_platform;

create table agents (
  id uuid not null,
  region character varying(40) not null,
  name character varying(100) not null,
  public_key jsonb not null,
  generation integer default 0 not null,
  enrolled_at timestamp with time zone default now() not null,
  last_seen_at timestamp with time zone,
  revoked_at timestamp with time zone,
  refused_protocol integer,
  refused_version character varying(40),
  refused_at timestamp with time zone,
  enrolment_id uuid,
  constraint agents_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES agent_enrolments(id) ON DELETE SET NULL,
  constraint agents_pkey PRIMARY KEY (id),
  constraint agents_region_fkey FOREIGN KEY (region) REFERENCES regions(name)
);
CREATE INDEX agents_of_enrolment ON public.agents USING btree (enrolment_id) WHERE (enrolment_id IS NOT NULL);
alter table agents enable row level security;
alter table agents force row level security;
create policy platform on agents as permissive for all to vedette_platform using (true) with check (true);
create policy shared on agents as permissive for select to vedette_app using (true);
grant select on agents to vedette_app;
grant delete, insert, select, update on agents to vedette_platform;

create table audit_entries (
  id uuid not null,
  tenant_id uuid not null,
  user_id uuid,
  token_id uuid,
  action character varying(60) not null,
  entity_type character varying(40) not null,
  entity_id uuid,
  changes jsonb,
  ip inet,
  request_id character varying(64),
  created_at timestamp with time zone default now() not null,
  impersonator_id uuid,
  constraint audit_entries_pkey PRIMARY KEY (id),
  constraint audit_entries_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX audit_entries_entity ON public.audit_entries USING btree (tenant_id, entity_type, entity_id, created_at);
CREATE INDEX audit_entries_person ON public.audit_entries USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE INDEX audit_entries_tenant ON public.audit_entries USING btree (tenant_id, created_at DESC, id DESC);
CREATE CONSTRAINT TRIGGER chained AFTER INSERT ON public.audit_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();
CREATE TRIGGER redacted AFTER UPDATE ON public.audit_entries FOR EACH ROW EXECUTE FUNCTION redact_audit_entry();
alter table audit_entries enable row level security;
alter table audit_entries force row level security;
create policy by_reseller on audit_entries as permissive for insert to vedette_app with check (((tenant_id = ( SELECT current_reseller() AS current_reseller)) OR (EXISTS ( SELECT 1
   FROM managed_teams t
  WHERE ((t.tenant_id = audit_entries.tenant_id) AND (t.reseller_id = ( SELECT current_reseller() AS current_reseller)))))));
create policy own_tenant on audit_entries as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on audit_entries as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on audit_entries as permissive for select to vedette_owner using (true);
grant insert, select on audit_entries to vedette_app;
grant insert, select, update (changes, ip, request_id) on audit_entries to vedette_platform;

create table audit_heads (
  tenant_id uuid not null,
  seq bigint default 0 not null,
  hash bytea default '\x'::bytea not null,
  changed_at timestamp with time zone default clock_timestamp() not null,
  constraint audit_heads_pkey PRIMARY KEY (tenant_id),
  constraint audit_heads_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
) with (fillfactor=50);
alter table audit_heads enable row level security;
alter table audit_heads force row level security;
create policy platform on audit_heads as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on audit_heads as permissive for all to vedette_owner using (true) with check (true);
grant select on audit_heads to vedette_platform;

create table audit_links (
  tenant_id uuid not null,
  seq bigint not null,
  entry_id uuid not null,
  is_redaction boolean default false not null,
  ip_salt bytea,
  ip_mark bytea,
  request_salt bytea,
  request_mark bytea,
  changes_salt bytea,
  changes_mark bytea,
  hash bytea not null,
  constraint audit_links_pkey PRIMARY KEY (tenant_id, seq),
  constraint audit_links_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX audit_links_entry ON public.audit_links USING btree (entry_id);
alter table audit_links enable row level security;
alter table audit_links force row level security;
create policy platform on audit_links as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on audit_links as permissive for all to vedette_owner using (true) with check (true);
grant select on audit_links to vedette_platform;

create table backups (
  id uuid not null,
  made_at timestamp with time zone not null,
  noted_at timestamp with time zone default clock_timestamp() not null,
  bytes bigint,
  constraint backups_pkey PRIMARY KEY (id)
);
alter table backups enable row level security;
alter table backups force row level security;
create policy platform on backups as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select on backups to vedette_platform;

create table billing_events (
  id character varying(255) not null,
  provider character varying(10) default 'stripe'::character varying not null,
  type character varying(100) not null,
  tenant_id uuid,
  occurred_at timestamp with time zone default clock_timestamp() not null,
  object jsonb,
  outcome character varying(10),
  next_at timestamp with time zone default clock_timestamp(),
  received_at timestamp with time zone default clock_timestamp() not null,
  handled_at timestamp with time zone,
  constraint billing_events_outcome_check CHECK (((outcome)::text = ANY ((ARRAY['applied'::character varying, 'stale'::character varying, 'ignored'::character varying, 'foreign'::character varying])::text[]))),
  constraint billing_events_pkey PRIMARY KEY (id),
  constraint billing_events_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX billing_events_due ON public.billing_events USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX billing_events_handled ON public.billing_events USING btree (handled_at) WHERE (handled_at IS NOT NULL);
alter table billing_events enable row level security;
alter table billing_events force row level security;
create policy platform on billing_events as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on billing_events to vedette_platform;

create table brandings (
  tenant_id uuid not null,
  brand_name character varying(100),
  alert_prefix character varying(50),
  logo_url character varying(500),
  logo_url_dark character varying(500),
  symbol_url character varying(500),
  favicon_url character varying(500),
  footer_url character varying(500),
  privacy_url character varying(500),
  imprint_url character varying(500),
  upgrade_url character varying(500),
  support_url character varying(500),
  primary_color character varying(7),
  secondary_color character varying(7),
  footer_text character varying(200),
  hide_powered_by boolean,
  notification_from_name character varying(100),
  upsell_mode character varying(10),
  upsell_cta character varying(10),
  plan_labels jsonb,
  upsell_offers jsonb,
  upsell_threshold double precision,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint brandings_pkey PRIMARY KEY (tenant_id),
  constraint brandings_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE TRIGGER brandings_pages AFTER INSERT OR DELETE OR UPDATE ON public.brandings FOR EACH ROW EXECUTE FUNCTION notify_pages_of_team();
CREATE TRIGGER raise_updated_at BEFORE UPDATE OF updated_at ON public.brandings FOR EACH ROW WHEN (((new.updated_at <= old.updated_at) AND (new.updated_at > (old.updated_at - '00:01:00'::interval)))) EXECUTE FUNCTION raise_updated_at();
alter table brandings enable row level security;
alter table brandings force row level security;
create policy own_tenant on brandings as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on brandings as permissive for all to vedette_platform using (true) with check (true);
grant insert, select, update (alert_prefix, brand_name, favicon_url, footer_text, footer_url, hide_powered_by, imprint_url, logo_url, logo_url_dark, notification_from_name, plan_labels, primary_color, privacy_url, secondary_color, support_url, symbol_url, updated_at, upgrade_url, upsell_cta, upsell_mode, upsell_offers, upsell_threshold) on brandings to vedette_app;
grant delete, insert, select, update on brandings to vedette_platform;

create table check_changes (
  id uuid not null,
  tenant_id uuid not null,
  check_id uuid not null,
  at timestamp with time zone not null,
  event character varying(60) not null,
  regions text[] not null,
  payload jsonb not null,
  constraint check_changes_check_id_fkey FOREIGN KEY (check_id) REFERENCES checks(id) ON DELETE CASCADE,
  constraint check_changes_pkey PRIMARY KEY (id),
  constraint check_changes_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX check_changes_of_check ON public.check_changes USING btree (check_id, at DESC, id DESC);
CREATE INDEX check_changes_tenant ON public.check_changes USING btree (tenant_id);
alter table check_changes enable row level security;
alter table check_changes force row level security;
create policy own_tenant on check_changes as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on check_changes as permissive for all to vedette_platform using (true) with check (true);
grant select on check_changes to vedette_app;
grant delete, insert, select, update on check_changes to vedette_platform;

create table check_regions (
  check_id uuid not null,
  tenant_id uuid not null,
  since timestamp with time zone not null,
  ended_at timestamp with time zone,
  shard smallint not null,
  regions text[] not null,
  constraint check_regions_pkey PRIMARY KEY (check_id, since),
  constraint check_regions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX check_regions_tenant ON public.check_regions USING btree (tenant_id);
alter table check_regions enable row level security;
alter table check_regions force row level security;
create policy own_tenant on check_regions as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on check_regions as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on check_regions as permissive for all to vedette_owner using (true) with check (true);
grant select on check_regions to vedette_app;
grant delete, insert, select, update on check_regions to vedette_platform;

create table check_snapshots (
  check_id uuid not null,
  tenant_id uuid not null,
  target text not null,
  regions jsonb not null,
  recent jsonb not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint check_snapshots_check_id_fkey FOREIGN KEY (check_id) REFERENCES checks(id) ON DELETE CASCADE,
  constraint check_snapshots_pkey PRIMARY KEY (check_id),
  constraint check_snapshots_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX check_snapshots_tenant ON public.check_snapshots USING btree (tenant_id);
alter table check_snapshots enable row level security;
alter table check_snapshots force row level security;
create policy own_tenant on check_snapshots as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on check_snapshots as permissive for all to vedette_platform using (true) with check (true);
grant select on check_snapshots to vedette_app;
grant delete, insert, select, update on check_snapshots to vedette_platform;

create table check_warnings (
  check_id uuid not null,
  tenant_id uuid not null,
  event character varying(60) not null,
  depth integer not null,
  since timestamp with time zone not null,
  code character varying(100) not null,
  reason text not null,
  regions text[] not null,
  details jsonb not null,
  notified_depth integer,
  suppressed_by character varying(12),
  constraint check_warnings_check_id_fkey FOREIGN KEY (check_id) REFERENCES checks(id) ON DELETE CASCADE,
  constraint check_warnings_pkey PRIMARY KEY (check_id),
  constraint check_warnings_suppressed_by_check CHECK (((suppressed_by)::text = ANY ((ARRAY['flapping'::character varying, 'maintenance'::character varying, 'shadow'::character varying])::text[]))),
  constraint check_warnings_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX check_warnings_suppressed ON public.check_warnings USING btree (check_id) WHERE (suppressed_by IS NOT NULL);
CREATE INDEX check_warnings_tenant ON public.check_warnings USING btree (tenant_id);
alter table check_warnings enable row level security;
alter table check_warnings force row level security;
create policy own_tenant on check_warnings as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on check_warnings as permissive for all to vedette_platform using (true) with check (true);
grant delete, select, update (notified_depth) on check_warnings to vedette_app;
grant delete, insert, select, update on check_warnings to vedette_platform;

create table checks (
  id uuid not null,
  tenant_id uuid not null,
  monitor_id uuid not null,
  type character varying(40) not null,
  is_enabled boolean default true not null,
  settings jsonb default '{}'::jsonb not null,
  interval integer,
  severity character varying(10),
  verdict character varying(10),
  verdict_since timestamp with time zone,
  verdict_reason text,
  coverage character varying(10) default 'none'::character varying not null,
  failing_regions text[] default '{}'::text[] not null,
  snoozed_until timestamp with time zone,
  snoozed_by uuid,
  snooze_reason character varying(255),
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  secrets text,
  keeps_former_default boolean default false not null,
  constraint checks_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint checks_pkey PRIMARY KEY (id),
  constraint checks_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
) with (fillfactor=80);
CREATE INDEX checks_monitor ON public.checks USING btree (monitor_id, created_at, id);
CREATE INDEX checks_of_monitor ON public.checks USING btree (tenant_id, monitor_id, created_at, id);
CREATE UNIQUE INDEX checks_one_of_a_kind ON public.checks USING btree (monitor_id, type) WHERE ((type)::text <> 'dns'::text);
CREATE INDEX checks_snoozed ON public.checks USING btree (snoozed_until) WHERE (snoozed_until IS NOT NULL);
CREATE INDEX checks_tenant ON public.checks USING btree (tenant_id, type);
CREATE TRIGGER checks_begin_agent_monitor AFTER INSERT ON public.checks FOR EACH ROW WHEN (((new.type)::text = 'agent'::text)) EXECUTE FUNCTION begin_agent_monitor();
CREATE TRIGGER checks_begin_heartbeat AFTER INSERT ON public.checks FOR EACH ROW WHEN (((new.type)::text = 'cron'::text)) EXECUTE FUNCTION begin_heartbeat();
CREATE TRIGGER checks_change AFTER INSERT OR DELETE OR UPDATE ON public.checks FOR EACH ROW EXECUTE FUNCTION check_changed();
CREATE TRIGGER checks_pause AFTER UPDATE ON public.checks FOR EACH ROW WHEN ((old.is_enabled IS DISTINCT FROM new.is_enabled)) EXECUTE FUNCTION record_check_pause();
CREATE TRIGGER checks_removed AFTER DELETE ON public.checks FOR EACH ROW EXECUTE FUNCTION record_check_removal();
CREATE TRIGGER checks_weigh AFTER UPDATE ON public.checks FOR EACH ROW WHEN ((((old.severity)::text IS DISTINCT FROM (new.severity)::text) AND (old.is_enabled = new.is_enabled))) EXECUTE FUNCTION record_check_severity();
CREATE TRIGGER raise_updated_at BEFORE UPDATE OF updated_at ON public.checks FOR EACH ROW WHEN (((new.updated_at <= old.updated_at) AND (new.updated_at > (old.updated_at - '00:01:00'::interval)))) EXECUTE FUNCTION raise_updated_at();
alter table checks enable row level security;
alter table checks force row level security;
create policy own_tenant on checks as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on checks as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on checks as permissive for all to vedette_owner using (true) with check (true);
grant delete, insert, select, update (interval, is_enabled, keeps_former_default, secrets, settings, severity, snooze_reason, snoozed_by, snoozed_until, updated_at) on checks to vedette_app;
grant delete, insert, select, update on checks to vedette_platform;

create unlogged table count_deltas (
  changes jsonb not null
);
CREATE CONSTRAINT TRIGGER count_deltas_fold AFTER INSERT ON public.count_deltas DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fold_counts();
alter table count_deltas enable row level security;
alter table count_deltas force row level security;
create policy platform on count_deltas as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on count_deltas as permissive for all to vedette_owner using (true) with check (true);
grant delete, insert, select, update on count_deltas to vedette_platform;

create table crawl_pages (
  id bigint generated always as identity not null,
  run_id uuid not null,
  tenant_id uuid not null,
  url character varying(2000) not null,
  key uuid not null,
  shape uuid,
  kind character varying(10) default 'page'::character varying not null,
  depth integer not null,
  hops integer not null,
  state character varying(8) default 'queued'::character varying not null,
  attempt integer default 0 not null,
  not_before timestamp with time zone,
  status integer,
  fault character varying(30),
  message character varying(100),
  skipped character varying(10),
  is_broken boolean default false not null,
  content_type character varying(100),
  bytes bigint,
  took_ms integer,
  redirect_to character varying(2000),
  is_truncated boolean default false not null,
  links_found integer,
  mixed_active integer default 0 not null,
  mixed_passive integer default 0 not null,
  mixed_form integer default 0 not null,
  mixed jsonb,
  sources jsonb default '[]'::jsonb not null,
  visited_at timestamp with time zone,
  constraint crawl_pages_kind_check CHECK (((kind)::text = ANY ((ARRAY['page'::character varying, 'asset'::character varying, 'external'::character varying])::text[]))),
  constraint crawl_pages_pkey PRIMARY KEY (id),
  constraint crawl_pages_run_id_fkey FOREIGN KEY (run_id) REFERENCES crawl_runs(id) ON DELETE CASCADE,
  constraint crawl_pages_run_id_key_key UNIQUE (run_id, key),
  constraint crawl_pages_state_check CHECK (((state)::text = ANY ((ARRAY['queued'::character varying, 'out'::character varying, 'done'::character varying])::text[]))),
  constraint crawl_pages_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX crawl_pages_found ON public.crawl_pages USING btree (run_id, id) WHERE (is_broken OR (mixed IS NOT NULL));
CREATE INDEX crawl_pages_next ON public.crawl_pages USING btree (run_id, attempt, depth, id) WHERE ((state)::text <> 'done'::text);
CREATE INDEX crawl_pages_of_run ON public.crawl_pages USING btree (run_id, id);
CREATE INDEX crawl_pages_shape ON public.crawl_pages USING btree (run_id, shape) WHERE (shape IS NOT NULL);
CREATE INDEX crawl_pages_tenant ON public.crawl_pages USING btree (tenant_id);
alter table crawl_pages enable row level security;
alter table crawl_pages force row level security;
create policy own_tenant on crawl_pages as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on crawl_pages as permissive for all to vedette_platform using (true) with check (true);
grant select on crawl_pages to vedette_app;
grant delete, insert, select, update on crawl_pages to vedette_platform;

create table crawl_runs (
  id uuid not null,
  tenant_id uuid not null,
  monitor_id uuid not null,
  cause character varying(10) default 'schedule'::character varying not null,
  state character varying(10) default 'queued'::character varying not null,
  reason character varying(200),
  region character varying(40),
  terms jsonb,
  page_limit integer,
  found integer default 0 not null,
  visited integer default 0 not null,
  checked integer default 0 not null,
  queued integer default 0 not null,
  broken integer default 0 not null,
  mixed integer default 0 not null,
  bytes bigint default 0 not null,
  refused jsonb default '{}'::jsonb not null,
  findings jsonb,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  finished_at timestamp with time zone,
  constraint crawl_runs_cause_check CHECK (((cause)::text = ANY ((ARRAY['schedule'::character varying, 'request'::character varying])::text[]))),
  constraint crawl_runs_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint crawl_runs_pkey PRIMARY KEY (id),
  constraint crawl_runs_state_check CHECK (((state)::text = ANY ((ARRAY['queued'::character varying, 'running'::character varying, 'finished'::character varying, 'failed'::character varying, 'cancelled'::character varying])::text[]))),
  constraint crawl_runs_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX crawl_runs_of_monitor ON public.crawl_runs USING btree (monitor_id, created_at DESC, id DESC);
CREATE INDEX crawl_runs_of_tenant ON public.crawl_runs USING btree (tenant_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX crawl_runs_one_now ON public.crawl_runs USING btree (monitor_id) WHERE ((state)::text = ANY ((ARRAY['queued'::character varying, 'running'::character varying])::text[]));
CREATE INDEX crawl_runs_open ON public.crawl_runs USING btree (created_at) WHERE ((state)::text = ANY ((ARRAY['queued'::character varying, 'running'::character varying])::text[]));
alter table crawl_runs enable row level security;
alter table crawl_runs force row level security;
create policy own_tenant on crawl_runs as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on crawl_runs as permissive for all to vedette_platform using (true) with check (true);
grant insert, select, update (finished_at, reason, state) on crawl_runs to vedette_app;
grant delete, insert, select, update on crawl_runs to vedette_platform;

create table custom_domains (
  id uuid not null,
  tenant_id uuid not null,
  hostname character varying(253) not null,
  purpose character varying(20) default 'status_page'::character varying not null,
  target_id uuid,
  state character varying(12) default 'pending_dns'::character varying not null,
  txt_token character varying(43) not null,
  attempts integer default 0 not null,
  last_error character varying(20),
  state_changed_at timestamp with time zone default clock_timestamp() not null,
  verified_at timestamp with time zone,
  last_checked_at timestamp with time zone,
  next_check_at timestamp with time zone default clock_timestamp(),
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint custom_domains_pkey PRIMARY KEY (id),
  constraint custom_domains_purpose_check CHECK (((purpose)::text = ANY ((ARRAY['status_page'::character varying, 'portal'::character varying])::text[]))),
  constraint custom_domains_state_check CHECK (((state)::text = ANY ((ARRAY['pending_dns'::character varying, 'verified'::character varying, 'issuing'::character varying, 'active'::character varying, 'failed'::character varying, 'expired'::character varying, 'disabled'::character varying])::text[]))),
  constraint custom_domains_target_check CHECK ((((purpose)::text = 'status_page'::text) OR (target_id IS NULL))),
  constraint custom_domains_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint custom_domains_tenant_id_hostname_key UNIQUE (tenant_id, hostname),
  constraint custom_domains_tenant_id_target_id_fkey FOREIGN KEY (tenant_id, target_id) REFERENCES status_pages(tenant_id, id) ON DELETE SET NULL (target_id)
);
CREATE INDEX custom_domains_by_created ON public.custom_domains USING btree (tenant_id, created_at, id);
CREATE INDEX custom_domains_due ON public.custom_domains USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX custom_domains_of_portal ON public.custom_domains USING btree (tenant_id, created_at) WHERE ((purpose)::text = 'portal'::text);
CREATE INDEX custom_domains_of_target ON public.custom_domains USING btree (tenant_id, target_id) WHERE (target_id IS NOT NULL);
CREATE UNIQUE INDEX custom_domains_verified ON public.custom_domains USING btree (hostname) WHERE ((state)::text = ANY ((ARRAY['verified'::character varying, 'issuing'::character varying, 'active'::character varying])::text[]));
CREATE TRIGGER custom_domains_changed AFTER UPDATE ON public.custom_domains FOR EACH ROW WHEN ((((old.state)::text <> (new.state)::text) OR (old.target_id IS DISTINCT FROM new.target_id))) EXECUTE FUNCTION notify_custom_domains();
CREATE TRIGGER custom_domains_deleted AFTER DELETE ON public.custom_domains FOR EACH ROW EXECUTE FUNCTION notify_custom_domains();
alter table custom_domains enable row level security;
alter table custom_domains force row level security;
create policy own_tenant on custom_domains as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on custom_domains as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (attempts, last_error, next_check_at, state, state_changed_at, target_id, updated_at) on custom_domains to vedette_app;
grant delete, insert, select, update on custom_domains to vedette_platform;

create table deliveries (
  id uuid not null,
  tenant_id uuid not null,
  channel_id uuid not null,
  event_id bigint,
  event character varying(60) not null,
  managed_tenant_id uuid,
  monitor_id uuid,
  body text,
  status character varying(10) default 'pending'::character varying not null,
  attempts smallint default 0 not null,
  replays smallint default 0 not null,
  log jsonb default '[]'::jsonb not null,
  next_at timestamp with time zone not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  finished_at timestamp with time zone,
  subject uuid,
  mailed_to text[] default '{}'::text[] not null,
  handed_to uuid[] default '{}'::uuid[] not null,
  handed_over_at timestamp with time zone,
  opens character varying(60),
  constraint deliveries_channel_id_event_id_key UNIQUE (channel_id, event_id),
  constraint deliveries_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES notification_channels(id) ON DELETE CASCADE,
  constraint deliveries_pkey PRIMARY KEY (id),
  constraint deliveries_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX deliveries_by_created ON public.deliveries USING btree (tenant_id, created_at DESC, id DESC);
CREATE INDEX deliveries_due ON public.deliveries USING btree (next_at) WHERE ((status)::text = ANY ((ARRAY['pending'::character varying, 'retrying'::character varying, 'held'::character varying])::text[]));
CREATE INDEX deliveries_handed_over ON public.deliveries USING btree (id) WHERE ((handed_over_at IS NOT NULL) AND ((status)::text = ANY ((ARRAY['pending'::character varying, 'retrying'::character varying])::text[])));
CREATE INDEX deliveries_held ON public.deliveries USING btree (channel_id, subject, event_id) WHERE ((status)::text = 'held'::text);
CREATE INDEX deliveries_of_channel ON public.deliveries USING btree (channel_id, created_at DESC, id DESC);
CREATE INDEX deliveries_of_mails ON public.deliveries USING btree (tenant_id, created_at) WHERE (((event)::text ~~ 'email.%'::text) AND ((status)::text = ANY ((ARRAY['retrying'::character varying, 'failed'::character varying])::text[])));
CREATE INDEX deliveries_opens ON public.deliveries USING btree (opens) WHERE (opens IS NOT NULL);
CREATE INDEX deliveries_unfinished ON public.deliveries USING btree (channel_id, subject) WHERE (((status)::text = ANY ((ARRAY['pending'::character varying, 'retrying'::character varying, 'held'::character varying])::text[])) AND (subject IS NOT NULL));
alter table deliveries enable row level security;
alter table deliveries force row level security;
create policy own_tenant on deliveries as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on deliveries as permissive for all to vedette_platform using (true) with check (true);
grant select, update (attempts, finished_at, handed_over_at, handed_to, mailed_to, next_at, replays, status) on deliveries to vedette_app;
grant delete, insert, select, update on deliveries to vedette_platform;

create table email_changes (
  user_id uuid not null,
  email citext not null,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  requested_at timestamp with time zone default clock_timestamp() not null,
  constraint email_changes_pkey PRIMARY KEY (user_id),
  constraint email_changes_token_hash_key UNIQUE (token_hash),
  constraint email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
alter table email_changes enable row level security;
alter table email_changes force row level security;
create policy own on email_changes as permissive for all to vedette_app using ((user_id = ( SELECT current_user_id() AS current_user_id))) with check ((user_id = ( SELECT current_user_id() AS current_user_id)));
create policy platform on email_changes as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (email, expires_at, requested_at, token_hash) on email_changes to vedette_app;
grant delete, insert, select, update on email_changes to vedette_platform;

create table email_reverts (
  token_hash bytea not null,
  user_id uuid not null,
  email citext not null,
  requested_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  proven_at timestamp with time zone,
  constraint email_reverts_pkey PRIMARY KEY (token_hash),
  constraint email_reverts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX email_reverts_by_end ON public.email_reverts USING btree (expires_at);
CREATE INDEX email_reverts_of_user ON public.email_reverts USING btree (user_id, requested_at);
alter table email_reverts enable row level security;
alter table email_reverts force row level security;
create policy own on email_reverts as permissive for insert to vedette_app with check ((user_id = ( SELECT current_user_id() AS current_user_id)));
create policy platform on email_reverts as permissive for all to vedette_platform using (true) with check (true);
grant insert on email_reverts to vedette_app;
grant delete, insert, select, update on email_reverts to vedette_platform;

create table email_suppressions (
  tenant_id uuid not null,
  types text[] not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint email_suppressions_pkey PRIMARY KEY (tenant_id),
  constraint email_suppressions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE TRIGGER email_suppressions_notify AFTER INSERT OR DELETE OR UPDATE ON public.email_suppressions FOR EACH ROW EXECUTE FUNCTION notify_alerting();
alter table email_suppressions enable row level security;
alter table email_suppressions force row level security;
create policy own_tenant on email_suppressions as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on email_suppressions as permissive for all to vedette_platform using (true) with check (true);
grant insert, select, update (types, updated_at) on email_suppressions to vedette_app;
grant delete, insert, select, update on email_suppressions to vedette_platform;

create table email_verifications (
  user_id uuid not null,
  token_hash bytea not null,
  sent_at timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  expires_at timestamp with time zone not null,
  constraint email_verifications_pkey PRIMARY KEY (user_id),
  constraint email_verifications_token_hash_key UNIQUE (token_hash),
  constraint email_verifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
alter table email_verifications enable row level security;
alter table email_verifications force row level security;
create policy new_people on email_verifications as permissive for insert to vedette_app with check ((EXISTS ( SELECT 1
   FROM memberships m
  WHERE ((m.user_id = email_verifications.user_id) AND (m.tenant_id = ( SELECT current_tenant() AS current_tenant))))));
create policy platform on email_verifications as permissive for all to vedette_platform using (true) with check (true);
grant insert on email_verifications to vedette_app;
grant delete, insert, select, update on email_verifications to vedette_platform;

create table ended_subscriptions (
  subscription_ref text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  next_at timestamp with time zone default clock_timestamp() not null,
  constraint ended_subscriptions_pkey PRIMARY KEY (subscription_ref)
);
CREATE INDEX ended_subscriptions_due ON public.ended_subscriptions USING btree (next_at);
alter table ended_subscriptions enable row level security;
alter table ended_subscriptions force row level security;
create policy platform on ended_subscriptions as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on ended_subscriptions to vedette_platform;

create table epochs (
  name character varying(40) not null,
  epoch bigint not null,
  constraint epochs_pkey PRIMARY KEY (name)
);
alter table epochs enable row level security;
alter table epochs force row level security;
create policy platform on epochs as permissive for all to vedette_platform using (true) with check (true);
grant insert, select, update on epochs to vedette_platform;

create table escalation_notifications (
  id uuid default gen_random_uuid() not null,
  tenant_id uuid not null,
  run_id uuid not null,
  policy_id uuid not null,
  round integer not null,
  step integer not null,
  target character varying(50) not null,
  user_id uuid,
  channel_id uuid,
  outbox_id bigint,
  reason character varying(20),
  created_at timestamp with time zone default clock_timestamp() not null,
  user_name character varying(255),
  constraint escalation_notifications_pkey PRIMARY KEY (id),
  constraint escalation_notifications_run_id_fkey FOREIGN KEY (run_id) REFERENCES escalation_runs(id) ON DELETE CASCADE,
  constraint escalation_notifications_run_id_round_step_target_key UNIQUE (run_id, round, step, target),
  constraint escalation_notifications_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint escalation_notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX escalation_notifications_of_user ON public.escalation_notifications USING btree (user_id) WHERE (user_id IS NOT NULL);
alter table escalation_notifications enable row level security;
alter table escalation_notifications force row level security;
create policy own_tenant on escalation_notifications as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on escalation_notifications as permissive for all to vedette_platform using (true) with check (true);
grant select on escalation_notifications to vedette_app;
grant delete, insert, select, update on escalation_notifications to vedette_platform;

create table escalation_policies (
  id uuid not null,
  tenant_id uuid not null,
  name character varying(255) not null,
  is_default boolean default false not null,
  repeat_count integer default 0 not null,
  repeat_delay_minutes integer not null,
  fallback_policy_id uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint escalation_policies_pkey PRIMARY KEY (id),
  constraint escalation_policies_tenant_id_fallback_policy_id_fkey FOREIGN KEY (tenant_id, fallback_policy_id) REFERENCES escalation_policies(tenant_id, id),
  constraint escalation_policies_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint escalation_policies_tenant_id_id_key UNIQUE (tenant_id, id)
);
CREATE INDEX escalation_policies_by_created ON public.escalation_policies USING btree (tenant_id, created_at, id);
CREATE UNIQUE INDEX escalation_policies_default ON public.escalation_policies USING btree (tenant_id) WHERE is_default;
CREATE INDEX escalation_policies_fallback ON public.escalation_policies USING btree (tenant_id, fallback_policy_id) WHERE (fallback_policy_id IS NOT NULL);
alter table escalation_policies enable row level security;
alter table escalation_policies force row level security;
create policy own_tenant on escalation_policies as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on escalation_policies as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (fallback_policy_id, is_default, name, repeat_count, repeat_delay_minutes, updated_at) on escalation_policies to vedette_app;
grant delete, insert, select, update on escalation_policies to vedette_platform;

create table escalation_runs (
  id uuid default gen_random_uuid() not null,
  tenant_id uuid not null,
  incident_id uuid not null,
  monitor_id uuid not null,
  policy_id uuid not null,
  state character varying(12) default 'pending'::character varying not null,
  round integer default 1 not null,
  step integer default 0 not null,
  repeats integer default 0 not null,
  next_at timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint escalation_runs_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id) ON DELETE CASCADE,
  constraint escalation_runs_incident_id_key UNIQUE (incident_id),
  constraint escalation_runs_pkey PRIMARY KEY (id),
  constraint escalation_runs_state_check CHECK (((state)::text = ANY ((ARRAY['pending'::character varying, 'running'::character varying, 'held'::character varying, 'parked'::character varying, 'acknowledged'::character varying, 'resolved'::character varying, 'exhausted'::character varying])::text[]))),
  constraint escalation_runs_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX escalation_runs_due ON public.escalation_runs USING btree (next_at) WHERE ((state)::text = ANY ((ARRAY['pending'::character varying, 'running'::character varying])::text[]));
CREATE INDEX escalation_runs_going ON public.escalation_runs USING btree (tenant_id) WHERE ((state)::text = ANY ((ARRAY['pending'::character varying, 'running'::character varying])::text[]));
CREATE INDEX escalation_runs_waiting ON public.escalation_runs USING btree (id) WHERE ((state)::text = ANY ((ARRAY['held'::character varying, 'parked'::character varying])::text[]));
alter table escalation_runs enable row level security;
alter table escalation_runs force row level security;
create policy own_tenant on escalation_runs as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on escalation_runs as permissive for all to vedette_platform using (true) with check (true);
grant select, update (next_at, state, updated_at) on escalation_runs to vedette_app;
grant delete, insert, select, update on escalation_runs to vedette_platform;

create table escalation_steps (
  id uuid not null,
  tenant_id uuid not null,
  policy_id uuid not null,
  position integer not null,
  delay_minutes integer not null,
  assignment character varying(11) default 'all'::character varying not null,
  only_if jsonb,
  turn integer default 0 not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  lost_at timestamp with time zone,
  constraint escalation_steps_assignment_check CHECK (((assignment)::text = ANY ((ARRAY['all'::character varying, 'round_robin'::character varying])::text[]))),
  constraint escalation_steps_pkey PRIMARY KEY (id),
  constraint escalation_steps_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint escalation_steps_tenant_id_id_key UNIQUE (tenant_id, id),
  constraint escalation_steps_tenant_id_policy_id_fkey FOREIGN KEY (tenant_id, policy_id) REFERENCES escalation_policies(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX escalation_steps_lost ON public.escalation_steps USING btree (lost_at) WHERE (lost_at IS NOT NULL);
CREATE INDEX escalation_steps_of_policy ON public.escalation_steps USING btree (policy_id, "position");
alter table escalation_steps enable row level security;
alter table escalation_steps force row level security;
create policy own_tenant on escalation_steps as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on escalation_steps as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (assignment, delay_minutes, only_if, position, updated_at) on escalation_steps to vedette_app;
grant delete, insert, select, update on escalation_steps to vedette_platform;

create table escalation_targets (
  id uuid default gen_random_uuid() not null,
  tenant_id uuid not null,
  step_id uuid not null,
  position integer not null,
  user_id uuid,
  schedule_id uuid,
  channel_id uuid,
  duty character varying(7),
  constraint escalation_targets_duty_check CHECK (((duty)::text = ANY ((ARRAY['current'::character varying, 'next'::character varying])::text[]))),
  constraint escalation_targets_pkey PRIMARY KEY (id),
  constraint escalation_targets_tenant_id_channel_id_fkey FOREIGN KEY (tenant_id, channel_id) REFERENCES notification_channels(tenant_id, id),
  constraint escalation_targets_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint escalation_targets_tenant_id_schedule_id_fkey FOREIGN KEY (tenant_id, schedule_id) REFERENCES on_call_schedules(tenant_id, id),
  constraint escalation_targets_tenant_id_step_id_fkey FOREIGN KEY (tenant_id, step_id) REFERENCES escalation_steps(tenant_id, id) ON DELETE CASCADE,
  constraint escalation_targets_user_id_tenant_id_fkey FOREIGN KEY (user_id, tenant_id) REFERENCES memberships(user_id, tenant_id) ON DELETE CASCADE
);
CREATE INDEX escalation_targets_of_channel ON public.escalation_targets USING btree (tenant_id, channel_id) WHERE (channel_id IS NOT NULL);
CREATE INDEX escalation_targets_of_person ON public.escalation_targets USING btree (user_id, tenant_id) WHERE (user_id IS NOT NULL);
CREATE INDEX escalation_targets_of_schedule ON public.escalation_targets USING btree (tenant_id, schedule_id) WHERE (schedule_id IS NOT NULL);
CREATE INDEX escalation_targets_of_step ON public.escalation_targets USING btree (step_id, "position");
CREATE CONSTRAINT TRIGGER escalation_targets_lose AFTER DELETE ON public.escalation_targets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.user_id IS NOT NULL)) EXECUTE FUNCTION lose_steps();
alter table escalation_targets enable row level security;
alter table escalation_targets force row level security;
create policy own_tenant on escalation_targets as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on escalation_targets as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select on escalation_targets to vedette_app;
grant delete, insert, select, update on escalation_targets to vedette_platform;

create table flappings (
  id uuid not null,
  tenant_id uuid not null,
  monitor_id uuid not null,
  check_id uuid not null,
  started_at timestamp with time zone not null,
  last_change_at timestamp with time zone not null,
  notified_at timestamp with time zone,
  forwarded_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint flappings_check_id_fkey FOREIGN KEY (check_id) REFERENCES checks(id) ON DELETE CASCADE,
  constraint flappings_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint flappings_pkey PRIMARY KEY (id),
  constraint flappings_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX flappings_one_now ON public.flappings USING btree (monitor_id) WHERE (ended_at IS NULL);
CREATE INDEX flappings_tenant ON public.flappings USING btree (tenant_id);
alter table flappings enable row level security;
alter table flappings force row level security;
create policy own_tenant on flappings as permissive for select to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on flappings as permissive for all to vedette_platform using (true) with check (true);
grant select on flappings to vedette_app;
grant delete, insert, select, update on flappings to vedette_platform;

create table geo_audits (
  id uuid not null,
  tenant_id uuid not null,
  monitor_id uuid not null,
  check_id uuid not null,
  check_type character varying(40) not null,
  regions jsonb not null,
  results jsonb,
  created_at timestamp with time zone default clock_timestamp() not null,
  completed_at timestamp with time zone,
  constraint geo_audits_check_id_fkey FOREIGN KEY (check_id) REFERENCES checks(id) ON DELETE CASCADE,
  constraint geo_audits_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint geo_audits_pkey PRIMARY KEY (id),
  constraint geo_audits_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX geo_audits_of_check ON public.geo_audits USING btree (check_id);
CREATE INDEX geo_audits_of_monitor ON public.geo_audits USING btree (tenant_id, monitor_id, created_at DESC, id DESC);
alter table geo_audits enable row level security;
alter table geo_audits force row level security;
create policy own_tenant on geo_audits as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on geo_audits as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select on geo_audits to vedette_app;
grant delete, insert, select, update on geo_audits to vedette_platform;

create unlogged table guesses (
  key bytea not null,
  times timestamp with time zone[] not null,
  ends_at timestamp with time zone not null,
  constraint guesses_pkey PRIMARY KEY (key)
) with (fillfactor=50);
CREATE INDEX guesses_by_end ON public.guesses USING btree (ends_at);
alter table guesses enable row level security;
alter table guesses force row level security;
create policy platform on guesses as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on guesses to vedette_platform;

create table heartbeats (
  check_id uuid not null,
  tenant_id uuid not null,
  monitor_id uuid not null,
  outcome character varying(10),
  reported_at timestamp with time zone,
  armed_by text,
  expected_at timestamp with time zone,
  alert_after timestamp with time zone,
  wake_at timestamp with time zone default clock_timestamp(),
  runs jsonb default '{}'::jsonb not null,
  pings bigint default 0 not null,
  last_ping_at timestamp with time zone,
  last_state character varying(10),
  trimmed_at timestamp with time zone default clock_timestamp() not null,
  constraint heartbeats_check_id_fkey FOREIGN KEY (check_id) REFERENCES checks(id) ON DELETE CASCADE,
  constraint heartbeats_check_id_tenant_id_key UNIQUE (check_id, tenant_id),
  constraint heartbeats_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint heartbeats_pkey PRIMARY KEY (check_id),
  constraint heartbeats_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX heartbeats_due ON public.heartbeats USING btree (wake_at) WHERE (wake_at IS NOT NULL);
CREATE INDEX heartbeats_monitor ON public.heartbeats USING btree (monitor_id);
CREATE INDEX heartbeats_tenant ON public.heartbeats USING btree (tenant_id);
CREATE INDEX heartbeats_untrimmed ON public.heartbeats USING btree (trimmed_at);
alter table heartbeats enable row level security;
alter table heartbeats force row level security;
create policy own_tenant on heartbeats as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on heartbeats as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on heartbeats as permissive for all to vedette_owner using (true) with check (true);
grant insert, select on heartbeats to vedette_app;
grant delete, insert, select, update on heartbeats to vedette_platform;

create table history_waits (
  region character varying(40) not null,
  since timestamp with time zone not null,
  noted_at timestamp with time zone default clock_timestamp() not null,
  constraint history_waits_pkey PRIMARY KEY (region)
);
alter table history_waits enable row level security;
alter table history_waits force row level security;
create policy platform on history_waits as permissive for all to vedette_platform using (true) with check (true);
create policy shared on history_waits as permissive for select to vedette_app using (true);
grant select on history_waits to vedette_app;
grant delete, insert, select, update on history_waits to vedette_platform;

create table host_storms (
  id uuid not null,
  tenant_id uuid not null,
  host character varying(255) not null,
  keys text[] not null,
  started_at timestamp with time zone not null,
  grown_at timestamp with time zone not null,
  notified_at timestamp with time zone,
  notified_monitors integer default 0 not null,
  resolved_at timestamp with time zone,
  constraint host_storms_pkey PRIMARY KEY (id),
  constraint host_storms_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX host_storms_now ON public.host_storms USING btree (tenant_id) WHERE (resolved_at IS NULL);
CREATE INDEX host_storms_tenant ON public.host_storms USING btree (tenant_id, started_at DESC);
alter table host_storms enable row level security;
alter table host_storms force row level security;
create policy own_tenant on host_storms as permissive for select to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on host_storms as permissive for all to vedette_platform using (true) with check (true);
grant select on host_storms to vedette_app;
grant delete, insert, select, update on host_storms to vedette_platform;

create table idempotency_keys (
  tenant_id uuid not null,
  token_id uuid not null,
  key character varying(255) collate "C" not null,
  fingerprint bytea not null,
  status smallint,
  answer text,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint idempotency_keys_pkey PRIMARY KEY (tenant_id, token_id, key),
  constraint idempotency_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy own_tenant on idempotency_keys as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on idempotency_keys as permissive for all to vedette_platform using (true) with check (true);
grant insert, select, update (answer, created_at, fingerprint, status) on idempotency_keys to vedette_app;
grant delete, insert, select, update on idempotency_keys to vedette_platform;

create table identity_changes (
  about bigint not null,
  xid xid8 default pg_current_xact_id() not null,
  made_at timestamp with time zone default clock_timestamp() not null
);
CREATE INDEX identity_changes_by_age ON public.identity_changes USING btree (made_at);
CREATE INDEX identity_changes_by_xid ON public.identity_changes USING btree (xid);
alter table identity_changes enable row level security;
alter table identity_changes force row level security;
create policy platform on identity_changes as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on identity_changes as permissive for all to vedette_owner using (true) with check (true);
grant delete, select on identity_changes to vedette_platform;

create table imported_histories (
  monitor_id uuid not null,
  tenant_id uuid not null,
  source character varying(150) not null,
  known_from timestamp with time zone not null,
  known_until timestamp with time zone not null,
  constraint imported_histories_check CHECK ((known_from <= known_until)),
  constraint imported_histories_pkey PRIMARY KEY (monitor_id),
  constraint imported_histories_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX imported_histories_of_tenant ON public.imported_histories USING btree (tenant_id);
alter table imported_histories enable row level security;
alter table imported_histories force row level security;
create policy own_tenant on imported_histories as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on imported_histories as permissive for all to vedette_platform using (true) with check (true);
grant select on imported_histories to vedette_app;
grant delete, insert, select, update on imported_histories to vedette_platform;

create table imported_monitors (
  tenant_id uuid not null,
  source character varying(150) not null,
  source_id character varying(255) not null,
  monitor_id uuid not null,
  migration_id uuid not null,
  fingerprint character varying(32) not null,
  is_enabled boolean not null,
  is_created boolean default true not null,
  constraint imported_monitors_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint imported_monitors_monitor_id_key UNIQUE (monitor_id),
  constraint imported_monitors_pkey PRIMARY KEY (tenant_id, source, source_id),
  constraint imported_monitors_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX imported_monitors_by_migration ON public.imported_monitors USING btree (migration_id);
alter table imported_monitors enable row level security;
alter table imported_monitors force row level security;
create policy own_tenant on imported_monitors as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on imported_monitors as permissive for all to vedette_platform using (true) with check (true);
grant insert, select, update (fingerprint, is_created, migration_id) on imported_monitors to vedette_app;
grant delete, insert, select, update on imported_monitors to vedette_platform;

create table incident_numbers (
  tenant_id uuid not null,
  last integer not null,
  constraint incident_numbers_pkey PRIMARY KEY (tenant_id),
  constraint incident_numbers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
alter table incident_numbers enable row level security;
alter table incident_numbers force row level security;
create policy own_tenant on incident_numbers as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on incident_numbers as permissive for all to vedette_platform using (true) with check (true);
grant insert, select on incident_numbers to vedette_app;
grant delete, insert, select, update on incident_numbers to vedette_platform;

create table incident_updates (
  id uuid not null,
  tenant_id uuid not null,
  incident_id uuid not null,
  status character varying(20) not null,
  body text not null,
  user_id uuid,
  created_at timestamp with time zone default now() not null,
  constraint incident_updates_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id) ON DELETE CASCADE,
  constraint incident_updates_pkey PRIMARY KEY (id),
  constraint incident_updates_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX incident_updates_incident ON public.incident_updates USING btree (incident_id, created_at);
alter table incident_updates enable row level security;
alter table incident_updates force row level security;
create policy own_tenant on incident_updates as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on incident_updates as permissive for all to vedette_platform using (true) with check (true);
grant insert, select on incident_updates to vedette_app;
grant delete, insert, select, update on incident_updates to vedette_platform;

create table incidents (
  id uuid not null,
  tenant_id uuid not null,
  monitor_id uuid not null,
  check_id uuid,
  check_type character varying(40) not null,
  number integer not null,
  title text not null,
  cause text,
  severity character varying(10) not null,
  status character varying(20) default 'investigating'::character varying not null,
  visibility character varying(10) default 'internal'::character varying not null,
  started_at timestamp with time zone not null,
  confirmed_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  resolution character varying(10),
  acknowledged_at timestamp with time zone,
  acknowledged_by uuid,
  snoozed_until timestamp with time zone,
  archived_at timestamp with time zone,
  quorum jsonb not null,
  evidence jsonb,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  notified_at timestamp with time zone default now(),
  forwarded_at timestamp with time zone default now(),
  suppressed_by character varying(12),
  storm_id uuid,
  maintenance_window_id uuid,
  imported_from character varying(150),
  imported_id character varying(255),
  host_storm_id uuid,
  host_keys text[],
  constraint incidents_host_storm_id_fkey FOREIGN KEY (host_storm_id) REFERENCES host_storms(id) ON DELETE SET NULL,
  constraint incidents_maintenance_window_id_fkey FOREIGN KEY (maintenance_window_id) REFERENCES maintenance_windows(id) ON DELETE SET NULL,
  constraint incidents_pkey PRIMARY KEY (id),
  constraint incidents_storm_id_fkey FOREIGN KEY (storm_id) REFERENCES storms(id) ON DELETE SET NULL,
  constraint incidents_suppressed_by_check CHECK (((suppressed_by)::text = ANY ((ARRAY['flapping'::character varying, 'storm'::character varying, 'host'::character varying, 'maintenance'::character varying, 'shadow'::character varying])::text[]))),
  constraint incidents_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint incidents_tenant_id_number_key UNIQUE (tenant_id, number)
);
CREATE INDEX incidents_by_end ON public.incidents USING btree (tenant_id, COALESCE(resolved_at, 'infinity'::timestamp with time zone) DESC, id DESC);
CREATE INDEX incidents_by_started ON public.incidents USING btree (tenant_id, started_at DESC, id DESC);
CREATE INDEX incidents_by_updated ON public.incidents USING btree (tenant_id, updated_at DESC, id DESC);
CREATE UNIQUE INDEX incidents_imported ON public.incidents USING btree (monitor_id, imported_from, imported_id) WHERE (imported_from IS NOT NULL);
CREATE INDEX incidents_maintenance_window ON public.incidents USING btree (maintenance_window_id) WHERE (maintenance_window_id IS NOT NULL);
CREATE INDEX incidents_of_check ON public.incidents USING btree (check_id, resolved_at);
CREATE INDEX incidents_of_host_storm ON public.incidents USING btree (host_storm_id) WHERE (host_storm_id IS NOT NULL);
CREATE INDEX incidents_of_monitor ON public.incidents USING btree (monitor_id, started_at);
CREATE INDEX incidents_of_storm ON public.incidents USING btree (storm_id) WHERE (storm_id IS NOT NULL);
CREATE UNIQUE INDEX incidents_one_open ON public.incidents USING btree (check_id) WHERE (resolved_at IS NULL);
CREATE INDEX incidents_open_by_tenant ON public.incidents USING btree (tenant_id, confirmed_at) WHERE (resolved_at IS NULL);
CREATE INDEX incidents_suppressed ON public.incidents USING btree (confirmed_at) WHERE ((suppressed_by IS NOT NULL) AND (resolved_at IS NULL));
CREATE INDEX incidents_with_texts ON public.incidents USING btree (confirmed_at) WHERE (((evidence ->> 'snippet'::text) IS NOT NULL) OR (quorum @? '$."regions".*."excerpt"?(@ != null)'::jsonpath));
CREATE TRIGGER incidents_count_added AFTER INSERT ON public.incidents REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_incidents();
CREATE TRIGGER incidents_count_changed AFTER UPDATE ON public.incidents REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_incidents();
CREATE TRIGGER incidents_count_removed AFTER DELETE ON public.incidents REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_incidents();
CREATE TRIGGER incidents_escalation AFTER UPDATE ON public.incidents FOR EACH ROW WHEN ((((((old.resolved_at IS DISTINCT FROM new.resolved_at) OR (old.acknowledged_at IS DISTINCT FROM new.acknowledged_at)) OR (old.snoozed_until IS DISTINCT FROM new.snoozed_until)) OR (old.notified_at IS DISTINCT FROM new.notified_at)) OR ((old.suppressed_by)::text IS DISTINCT FROM (new.suppressed_by)::text))) EXECUTE FUNCTION follow_incident();
CREATE TRIGGER incidents_rename_resolution BEFORE INSERT OR UPDATE OF resolution ON public.incidents FOR EACH ROW WHEN (((new.resolution)::text = ANY ((ARRAY['auto'::character varying, 'manual'::character varying])::text[]))) EXECUTE FUNCTION rename_resolution();
CREATE TRIGGER raise_updated_at BEFORE UPDATE OF updated_at ON public.incidents FOR EACH ROW WHEN (((new.updated_at <= old.updated_at) AND (new.updated_at > (old.updated_at - '00:01:00'::interval)))) EXECUTE FUNCTION raise_updated_at();
alter table incidents enable row level security;
alter table incidents force row level security;
create policy own_tenant on incidents as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on incidents as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on incidents as permissive for all to vedette_owner using (true) with check (true);
grant insert, select, update (acknowledged_at, acknowledged_by, archived_at, notified_at, resolution, resolved_at, severity, snoozed_until, status, title, updated_at, visibility) on incidents to vedette_app;
grant delete, insert, select, update on incidents to vedette_platform;

create table ingest_members (
  id uuid not null,
  url text not null,
  shards integer[] not null,
  reached_at timestamp with time zone,
  stands_aside boolean not null,
  lacks text,
  noted_at timestamp with time zone not null,
  constraint ingest_members_pkey PRIMARY KEY (id)
);
alter table ingest_members enable row level security;
alter table ingest_members force row level security;
create policy platform on ingest_members as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on ingest_members to vedette_platform;

create table ingest_owners (
  id uuid not null,
  url text not null,
  shards integer[] not null,
  since timestamp with time zone default clock_timestamp() not null,
  constraint ingest_owners_pkey PRIMARY KEY (id)
);
alter table ingest_owners enable row level security;
alter table ingest_owners force row level security;
create policy platform on ingest_owners as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on ingest_owners to vedette_platform;

create table ingestion_gaps (
  id bigint generated always as identity not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  constraint ingestion_gaps_pkey PRIMARY KEY (id)
);
CREATE INDEX ingestion_gaps_ended ON public.ingestion_gaps USING btree (ended_at);
alter table ingestion_gaps enable row level security;
alter table ingestion_gaps force row level security;
create policy platform on ingestion_gaps as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on ingestion_gaps to vedette_platform;

create table invitations (
  id uuid not null,
  tenant_id uuid not null,
  email citext not null,
  role character varying(20) not null,
  status character varying(10) default 'pending'::character varying not null,
  token_hash bytea,
  invited_by uuid,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  accepted_by uuid,
  resent_count integer default 0 not null,
  resent_at timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  mail_hash bytea,
  constraint invitations_mail_hash_key UNIQUE (mail_hash),
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_status_check CHECK (((status)::text = ANY ((ARRAY['pending'::character varying, 'accepted'::character varying, 'declined'::character varying, 'expired'::character varying, 'revoked'::character varying])::text[]))),
  constraint invitations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint invitations_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX invitations_by_created ON public.invitations USING btree (tenant_id, created_at DESC, id DESC);
CREATE INDEX invitations_email ON public.invitations USING btree (email);
CREATE UNIQUE INDEX invitations_one_pending ON public.invitations USING btree (tenant_id, email) WHERE ((status)::text = 'pending'::text);
CREATE TRIGGER raise_updated_at BEFORE UPDATE OF updated_at ON public.invitations FOR EACH ROW WHEN (((new.updated_at <= old.updated_at) AND (new.updated_at > (old.updated_at - '00:01:00'::interval)))) EXECUTE FUNCTION raise_updated_at();
alter table invitations enable row level security;
alter table invitations force row level security;
create policy own_tenant on invitations as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on invitations as permissive for all to vedette_platform using (true) with check (true);
grant insert, select, update (expires_at, mail_hash, resent_at, resent_count, status, token_hash, updated_at) on invitations to vedette_app;
grant delete, insert, select, update on invitations to vedette_platform;

create table invoices (
  id uuid not null,
  tenant_id uuid not null,
  provider character varying(10) default 'manual'::character varying not null,
  provider_ref character varying(255),
  subscription_ref character varying(255),
  number character varying(60),
  reason character varying(60) default 'start'::character varying not null,
  status character varying(13) default 'draft'::character varying not null,
  plan character varying(20),
  interval character varying(5),
  seats integer default 1 not null,
  currency character varying(3) default 'eur'::character varying not null,
  subtotal integer default 0 not null,
  tax integer default 0 not null,
  total integer default 0 not null,
  amount_paid integer default 0 not null,
  lines jsonb default '[]'::jsonb not null,
  payer jsonb default '{}'::jsonb not null,
  period_start timestamp with time zone default clock_timestamp() not null,
  period_end timestamp with time zone default clock_timestamp() not null,
  issued_at timestamp with time zone,
  due_at timestamp with time zone,
  paid_at timestamp with time zone,
  failed_at timestamp with time zone,
  attempts integer default 0 not null,
  hosted_url text,
  seen_at timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint invoices_interval_check CHECK ((("interval")::text = ANY ((ARRAY['month'::character varying, 'year'::character varying])::text[]))),
  constraint invoices_pkey PRIMARY KEY (id),
  constraint invoices_plan_check CHECK (((plan)::text = ANY ((ARRAY['free'::character varying, 'hobby'::character varying, 'starter'::character varying, 'pro'::character varying])::text[]))),
  constraint invoices_provider_check CHECK (((provider)::text = ANY ((ARRAY['manual'::character varying, 'stripe'::character varying])::text[]))),
  constraint invoices_status_check CHECK (((status)::text = ANY ((ARRAY['draft'::character varying, 'open'::character varying, 'paid'::character varying, 'void'::character varying, 'uncollectible'::character varying])::text[]))),
  constraint invoices_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint invoices_tenant_id_number_key UNIQUE (tenant_id, number)
);
CREATE INDEX invoices_by_created ON public.invoices USING btree (tenant_id, created_at, id);
CREATE UNIQUE INDEX invoices_of_provider ON public.invoices USING btree (provider, provider_ref) WHERE (provider_ref IS NOT NULL);
alter table invoices enable row level security;
alter table invoices force row level security;
create policy own_tenant on invoices as permissive for select to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on invoices as permissive for all to vedette_platform using (true) with check (true);
grant select on invoices to vedette_app;
grant delete, insert, select, update on invoices to vedette_platform;

create table known_devices (
  user_id uuid not null,
  fingerprint bytea not null,
  last_seen_at timestamp with time zone default clock_timestamp() not null,
  constraint known_devices_pkey PRIMARY KEY (user_id, fingerprint),
  constraint known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
alter table known_devices enable row level security;
alter table known_devices force row level security;
create policy platform on known_devices as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on known_devices to vedette_platform;

create table known_networks (
  user_id uuid not null,
  fingerprint bytea not null,
  last_seen_at timestamp with time zone default clock_timestamp() not null,
  constraint known_networks_pkey PRIMARY KEY (user_id, fingerprint),
  constraint known_networks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
alter table known_networks enable row level security;
alter table known_networks force row level security;
create policy platform on known_networks as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on known_networks to vedette_platform;

create table liveness (
  name character varying(40) not null,
  at timestamp with time zone not null,
  constraint liveness_pkey PRIMARY KEY (name)
);
alter table liveness enable row level security;
alter table liveness force row level security;
create policy platform on liveness as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on liveness to vedette_platform;

create table login_links (
  token_hash bytea not null,
  user_id uuid not null,
  email citext not null,
  browser_hash bytea not null,
  code_hash bytea not null,
  code_guesses integer default 0 not null,
  next text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone not null,
  constraint login_links_pkey PRIMARY KEY (token_hash),
  constraint login_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX login_links_browser ON public.login_links USING btree (browser_hash);
CREATE INDEX login_links_user ON public.login_links USING btree (user_id);
alter table login_links enable row level security;
alter table login_links force row level security;
create policy platform on login_links as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on login_links to vedette_platform;

create table mail_budgets (
  tenant_id uuid not null,
  day date not null,
  sent integer default 0 not null,
  kept_back integer default 0 not null,
  was_taken boolean default true not null,
  notified_at timestamp with time zone,
  constraint mail_budgets_pkey PRIMARY KEY (tenant_id, day),
  constraint mail_budgets_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
) with (fillfactor=70);
alter table mail_budgets enable row level security;
alter table mail_budgets force row level security;
create policy own_tenant on mail_budgets as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on mail_budgets as permissive for all to vedette_platform using (true) with check (true);
grant select on mail_budgets to vedette_app;
grant delete, insert, select, update on mail_budgets to vedette_platform;

create table mail_questions (
  id bigint generated always as identity not null,
  tenant_id uuid not null,
  address_hash bytea not null,
  asked_by text not null,
  asked_at timestamp with time zone default clock_timestamp() not null,
  constraint mail_questions_asked_by_check CHECK ((asked_by = ANY (ARRAY['team'::text, 'visitor'::text]))),
  constraint mail_questions_pkey PRIMARY KEY (id),
  constraint mail_questions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX mail_questions_by_age ON public.mail_questions USING btree (asked_at);
CREATE INDEX mail_questions_of_address ON public.mail_questions USING btree (address_hash, asked_at);
CREATE INDEX mail_questions_of_team ON public.mail_questions USING btree (tenant_id, asked_by, asked_at);
alter table mail_questions enable row level security;
alter table mail_questions force row level security;
create policy own_tenant on mail_questions as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on mail_questions as permissive for all to vedette_platform using (true) with check (true);
grant insert (address_hash, asked_by, tenant_id), select on mail_questions to vedette_app;
grant delete, insert, select, update on mail_questions to vedette_platform;

create table mail_recipients (
  tenant_id uuid not null,
  email citext not null,
  token_hash bytea,
  requested_at timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  confirmed_at timestamp with time zone,
  unsubscribed_at timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  refused_at timestamp with time zone,
  constraint mail_recipients_pkey PRIMARY KEY (tenant_id, email),
  constraint mail_recipients_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint mail_recipients_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX mail_recipients_by_created ON public.mail_recipients USING btree (tenant_id, created_at);
CREATE INDEX mail_recipients_of_address ON public.mail_recipients USING btree (email);
alter table mail_recipients enable row level security;
alter table mail_recipients force row level security;
create policy own_tenant on mail_recipients as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on mail_recipients as permissive for all to vedette_platform using (true) with check (true);
grant insert (email, tenant_id), select, update (requested_at, token_hash) on mail_recipients to vedette_app;
grant delete, insert, select, update on mail_recipients to vedette_platform;

create table mail_sink_messages (
  id uuid not null,
  tenant_id uuid not null,
  recipients text[] not null,
  subject text not null,
  body text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  type character varying(60),
  sender text,
  html text,
  is_encrypted boolean default false not null,
  constraint mail_sink_messages_pkey PRIMARY KEY (id),
  constraint mail_sink_messages_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX mail_sink_messages_by_created ON public.mail_sink_messages USING btree (created_at DESC, id DESC);
alter table mail_sink_messages enable row level security;
alter table mail_sink_messages force row level security;
create policy platform on mail_sink_messages as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on mail_sink_messages to vedette_platform;

create table maintenance_calendars (
  tenant_id uuid not null,
  token_hash bytea not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint maintenance_calendars_pkey PRIMARY KEY (tenant_id),
  constraint maintenance_calendars_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint maintenance_calendars_token_hash_key UNIQUE (token_hash)
);
alter table maintenance_calendars enable row level security;
alter table maintenance_calendars force row level security;
create policy own_tenant on maintenance_calendars as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on maintenance_calendars as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (created_at, token_hash) on maintenance_calendars to vedette_app;
grant delete, insert, select, update on maintenance_calendars to vedette_platform;

create table maintenance_notices (
  id bigint generated always as identity not null,
  tenant_id uuid not null,
  window_id uuid not null,
  kind character varying(10) default 'reminder'::character varying not null,
  due_at timestamp with time zone default clock_timestamp() not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  constraint maintenance_notices_kind_check CHECK (((kind)::text = ANY ((ARRAY['scheduled'::character varying, 'reminder'::character varying, 'started'::character varying, 'ended'::character varying])::text[]))),
  constraint maintenance_notices_pkey PRIMARY KEY (id),
  constraint maintenance_notices_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint maintenance_notices_window_id_fkey FOREIGN KEY (window_id) REFERENCES maintenance_windows(id) ON DELETE CASCADE
);
CREATE INDEX maintenance_notices_due ON public.maintenance_notices USING btree (due_at);
CREATE UNIQUE INDEX maintenance_notices_reminder ON public.maintenance_notices USING btree (window_id, due_at) WHERE ((kind)::text = 'reminder'::text);
CREATE INDEX maintenance_notices_window ON public.maintenance_notices USING btree (window_id);
alter table maintenance_notices enable row level security;
alter table maintenance_notices force row level security;
create policy platform on maintenance_notices as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on maintenance_notices as permissive for all to vedette_owner using (true) with check (true);
grant delete, insert, select, update on maintenance_notices to vedette_platform;

create table maintenance_occurrences (
  id bigint generated always as identity not null,
  tenant_id uuid not null,
  window_id uuid not null,
  monitor_ids uuid[] not null,
  planned_at timestamp with time zone not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  constraint maintenance_occurrences_pkey PRIMARY KEY (id),
  constraint maintenance_occurrences_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint maintenance_occurrences_window_id_fkey FOREIGN KEY (window_id) REFERENCES maintenance_windows(id) ON DELETE CASCADE
);
CREATE INDEX maintenance_occurrences_ended ON public.maintenance_occurrences USING btree (ended_at);
CREATE INDEX maintenance_occurrences_tenant ON public.maintenance_occurrences USING btree (tenant_id, ended_at);
CREATE INDEX maintenance_occurrences_window ON public.maintenance_occurrences USING btree (window_id);
alter table maintenance_occurrences enable row level security;
alter table maintenance_occurrences force row level security;
create policy platform on maintenance_occurrences as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on maintenance_occurrences as permissive for all to vedette_owner using (true) with check (true);
grant delete, insert, select, update on maintenance_occurrences to vedette_platform;

create table maintenance_spans (
  id bigint generated always as identity not null,
  tenant_id uuid not null,
  monitor_id uuid not null,
  window_id uuid,
  started_at timestamp with time zone default clock_timestamp() not null,
  ended_at timestamp with time zone,
  is_excluded boolean default true not null,
  is_paused boolean default false not null,
  constraint maintenance_spans_pkey PRIMARY KEY (id),
  constraint maintenance_spans_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint maintenance_spans_window_id_fkey FOREIGN KEY (window_id) REFERENCES maintenance_windows(id) ON DELETE SET NULL
);
CREATE INDEX maintenance_spans_monitor ON public.maintenance_spans USING btree (monitor_id, started_at);
CREATE UNIQUE INDEX maintenance_spans_open ON public.maintenance_spans USING btree (monitor_id, window_id) WHERE (ended_at IS NULL);
CREATE INDEX maintenance_spans_tenant ON public.maintenance_spans USING btree (tenant_id, started_at);
CREATE INDEX maintenance_spans_window ON public.maintenance_spans USING btree (window_id);
CREATE TRIGGER maintenance_spans_stream_begun AFTER INSERT ON public.maintenance_spans REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION stream_maintained_monitors();
CREATE TRIGGER maintenance_spans_stream_ended AFTER UPDATE ON public.maintenance_spans REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION stream_maintained_monitors();
alter table maintenance_spans enable row level security;
alter table maintenance_spans force row level security;
create policy own_tenant on maintenance_spans as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on maintenance_spans as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on maintenance_spans as permissive for all to vedette_owner using (true) with check (true);
grant select on maintenance_spans to vedette_app;
grant delete, insert, select, update on maintenance_spans to vedette_platform;

create table maintenance_windows (
  id uuid not null,
  tenant_id uuid not null,
  title character varying(255) not null,
  description text default ''::text not null,
  monitor_ids uuid[] default '{}'::uuid[] not null,
  tags text[] default '{}'::text[] not null,
  is_all boolean default false not null,
  starts_at character varying(19) not null,
  timezone character varying(64) not null,
  duration_minutes integer not null,
  rrule character varying(500),
  until character varying(19),
  mode character varying(20) default 'suppress_alerts'::character varying not null,
  exclude_from_uptime boolean default true not null,
  state character varying(10) default 'scheduled'::character varying not null,
  next_starts_at timestamp with time zone,
  next_ends_at timestamp with time zone,
  actual_started_at timestamp with time zone,
  actual_ended_at timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  notify_on_create boolean default false not null,
  notify_before_minutes integer[] default '{}'::integer[] not null,
  notify_on_start boolean default false not null,
  notify_on_end boolean default false not null,
  status_page_ids uuid[] default '{}'::uuid[] not null,
  last_planned_at timestamp with time zone,
  exceptions jsonb default '[]'::jsonb not null,
  constraint maintenance_windows_exceptions_check CHECK ((jsonb_typeof(exceptions) = 'array'::text)),
  constraint maintenance_windows_mode_check CHECK (((mode)::text = ANY ((ARRAY['suppress_alerts'::character varying, 'pause_checks'::character varying])::text[]))),
  constraint maintenance_windows_pkey PRIMARY KEY (id),
  constraint maintenance_windows_state_check CHECK (((state)::text = ANY ((ARRAY['scheduled'::character varying, 'active'::character varying, 'completed'::character varying, 'cancelled'::character varying])::text[]))),
  constraint maintenance_windows_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX maintenance_windows_active ON public.maintenance_windows USING btree (tenant_id) WHERE ((state)::text = 'active'::text);
CREATE INDEX maintenance_windows_tenant ON public.maintenance_windows USING btree (tenant_id, created_at);
CREATE INDEX maintenance_windows_to_end ON public.maintenance_windows USING btree (next_ends_at) WHERE ((state)::text = 'active'::text);
CREATE INDEX maintenance_windows_to_plan ON public.maintenance_windows USING btree (id) WHERE (((state)::text = 'scheduled'::text) AND (next_ends_at IS NULL));
CREATE INDEX maintenance_windows_to_start ON public.maintenance_windows USING btree (next_starts_at) WHERE (((state)::text = 'scheduled'::text) AND (next_ends_at IS NOT NULL));
CREATE TRIGGER maintenance_windows_announced AFTER INSERT ON public.maintenance_windows FOR EACH ROW WHEN ((new.status_page_ids <> '{}'::uuid[])) EXECUTE FUNCTION notify_pages_of_window();
CREATE TRIGGER maintenance_windows_announced_change AFTER UPDATE ON public.maintenance_windows FOR EACH ROW WHEN (((old.status_page_ids <> '{}'::uuid[]) OR (new.status_page_ids <> '{}'::uuid[]))) EXECUTE FUNCTION notify_pages_of_window();
CREATE TRIGGER maintenance_windows_announced_end AFTER DELETE ON public.maintenance_windows FOR EACH ROW WHEN ((old.status_page_ids <> '{}'::uuid[])) EXECUTE FUNCTION notify_pages_of_window();
CREATE TRIGGER maintenance_windows_change_notices AFTER UPDATE ON public.maintenance_windows FOR EACH ROW WHEN ((((old.notify_before_minutes <> '{}'::integer[]) OR (new.notify_before_minutes <> '{}'::integer[])) AND (((((old.state)::text IS DISTINCT FROM (new.state)::text) OR (old.next_starts_at IS DISTINCT FROM new.next_starts_at)) OR (old.next_ends_at IS DISTINCT FROM new.next_ends_at)) OR (old.notify_before_minutes IS DISTINCT FROM new.notify_before_minutes)))) EXECUTE FUNCTION plan_maintenance_notices();
CREATE TRIGGER maintenance_windows_end_occurrence BEFORE UPDATE ON public.maintenance_windows FOR EACH ROW WHEN ((((old.state)::text = 'active'::text) AND ((new.state)::text <> 'active'::text))) EXECUTE FUNCTION end_maintenance_occurrence();
CREATE TRIGGER maintenance_windows_keep_occurrence AFTER UPDATE ON public.maintenance_windows FOR EACH ROW WHEN ((((old.state)::text = 'active'::text) AND ((new.state)::text <> 'active'::text) AND (new.status_page_ids <> '{}'::uuid[]))) EXECUTE FUNCTION keep_maintenance_occurrence();
CREATE TRIGGER maintenance_windows_plan_notices AFTER INSERT ON public.maintenance_windows FOR EACH ROW WHEN ((new.notify_on_create OR (new.notify_before_minutes <> '{}'::integer[]))) EXECUTE FUNCTION plan_maintenance_notices();
CREATE TRIGGER maintenance_windows_record AFTER UPDATE ON public.maintenance_windows REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION record_maintenance();
CREATE TRIGGER maintenance_windows_shown AFTER INSERT OR DELETE OR UPDATE ON public.maintenance_windows FOR EACH ROW EXECUTE FUNCTION notify_pages_of_team();
alter table maintenance_windows enable row level security;
alter table maintenance_windows force row level security;
create policy own_tenant on maintenance_windows as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on maintenance_windows as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on maintenance_windows as permissive for all to vedette_owner using (true) with check (true);
grant delete, insert, select, update (actual_ended_at, actual_started_at, description, duration_minutes, exceptions, exclude_from_uptime, is_all, last_planned_at, mode, monitor_ids, next_ends_at, next_starts_at, notify_before_minutes, notify_on_create, notify_on_end, notify_on_start, rrule, starts_at, state, status_page_ids, tags, timezone, title, until, updated_at) on maintenance_windows to vedette_app;
grant delete, insert, select, update on maintenance_windows to vedette_platform;

create table managed_teams (
  id uuid not null,
  reseller_id uuid not null,
  tenant_id uuid not null,
  label character varying(255),
  external_ref character varying(255),
  metadata jsonb default '{}'::jsonb not null,
  paused_reason character varying(50),
  trial_ends_at timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  public_id character varying(20) default ('VT-'::text || substr(upper(translate(encode(uuid_send(gen_random_uuid()), 'base64'::text), '+/=01IOilo'::text, ''::text)), 1, 8)) not null,
  name character varying(255) not null,
  slug character varying(100) not null,
  plan character varying(20) not null,
  paused_at timestamp with time zone,
  search_text text generated always as (lower((((name)::text || '
'::text) || (COALESCE(label, ''::character varying))::text))) stored,
  trial_set_at timestamp with time zone,
  trial_reminded smallint,
  trial_expired_at timestamp with time zone,
  plan_after_trial character varying(20),
  constraint managed_teams_pkey PRIMARY KEY (id),
  constraint managed_teams_public_id_key UNIQUE (public_id),
  constraint managed_teams_reseller_id_external_ref_key UNIQUE (reseller_id, external_ref),
  constraint managed_teams_reseller_id_fkey FOREIGN KEY (reseller_id) REFERENCES tenants(id),
  constraint managed_teams_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint managed_teams_tenant_id_key UNIQUE (tenant_id)
);
CREATE INDEX managed_teams_by_created ON public.managed_teams USING btree (reseller_id, created_at, tenant_id) INCLUDE (plan, paused_at, trial_ends_at) WHERE (deleted_at IS NULL);
CREATE INDEX managed_teams_by_name ON public.managed_teams USING btree (reseller_id, name COLLATE "und-x-icu", tenant_id) INCLUDE (plan, paused_at, trial_ends_at) WHERE (deleted_at IS NULL);
CREATE INDEX managed_teams_trashed ON public.managed_teams USING btree (reseller_id, deleted_at, id) WHERE (deleted_at IS NOT NULL);
CREATE TRIGGER managed_teams_copy BEFORE INSERT ON public.managed_teams FOR EACH ROW EXECUTE FUNCTION copy_tenant();
CREATE TRIGGER managed_teams_count AFTER INSERT OR DELETE OR UPDATE OF tenant_id, reseller_id ON public.managed_teams FOR EACH ROW EXECUTE FUNCTION count_for_reseller();
CREATE TRIGGER managed_teams_identity_change AFTER UPDATE ON public.managed_teams FOR EACH ROW WHEN (((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.reseller_id IS DISTINCT FROM new.reseller_id) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION record_identity_change('tenant_id');
CREATE TRIGGER managed_teams_identity_end AFTER INSERT OR DELETE ON public.managed_teams FOR EACH ROW EXECUTE FUNCTION record_identity_change('tenant_id');
CREATE TRIGGER managed_teams_notify AFTER INSERT OR DELETE OR UPDATE ON public.managed_teams FOR EACH ROW EXECUTE FUNCTION notify_alerting();
CREATE TRIGGER managed_teams_pages AFTER INSERT OR DELETE OR UPDATE OF reseller_id, deleted_at ON public.managed_teams FOR EACH ROW EXECUTE FUNCTION notify_pages_of_team();
CREATE TRIGGER managed_teams_trial_times BEFORE INSERT OR UPDATE OF trial_ends_at, deleted_at ON public.managed_teams FOR EACH ROW EXECUTE FUNCTION set_trial_times();
CREATE TRIGGER raise_updated_at BEFORE UPDATE OF updated_at ON public.managed_teams FOR EACH ROW WHEN (((new.updated_at <= old.updated_at) AND (new.updated_at > (old.updated_at - '00:01:00'::interval)))) EXECUTE FUNCTION raise_updated_at();
alter table managed_teams enable row level security;
alter table managed_teams force row level security;
create policy own_teams on managed_teams as permissive for all to vedette_app using (((reseller_id = ( SELECT current_reseller() AS current_reseller)) OR (tenant_id = ( SELECT current_tenant() AS current_tenant)))) with check ((reseller_id = ( SELECT current_reseller() AS current_reseller)));
create policy platform on managed_teams as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on managed_teams as permissive for all to vedette_owner using (true) with check (true);
grant delete, insert, select, update (deleted_at, external_ref, label, metadata, paused_reason, plan_after_trial, trial_ends_at, trial_expired_at, trial_reminded, trial_set_at, updated_at) on managed_teams to vedette_app;
grant delete, insert, select, update on managed_teams to vedette_platform;

create table memberships (
  user_id uuid not null,
  tenant_id uuid not null,
  role character varying(20) not null,
  created_at timestamp with time zone default now() not null,
  is_service boolean default false not null,
  invited_by uuid,
  updated_at timestamp with time zone default now() not null,
  disabled_at timestamp with time zone,
  constraint memberships_pkey PRIMARY KEY (user_id, tenant_id),
  constraint memberships_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX memberships_tenant ON public.memberships USING btree (tenant_id);
CREATE TRIGGER memberships_account_contact AFTER INSERT ON public.memberships FOR EACH ROW WHEN ((NOT new.is_service)) EXECUTE FUNCTION keep_account_contact();
CREATE TRIGGER memberships_age_sessions AFTER UPDATE ON public.memberships FOR EACH ROW WHEN (((old.role)::text IS DISTINCT FROM (new.role)::text)) EXECUTE FUNCTION age_sessions();
CREATE TRIGGER memberships_count_added AFTER INSERT ON public.memberships REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_memberships();
CREATE TRIGGER memberships_count_changed AFTER UPDATE ON public.memberships REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_memberships();
CREATE TRIGGER memberships_count_removed AFTER DELETE ON public.memberships REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_memberships();
CREATE TRIGGER memberships_identity_change AFTER UPDATE ON public.memberships FOR EACH ROW WHEN (((old.user_id IS DISTINCT FROM new.user_id) OR (old.tenant_id IS DISTINCT FROM new.tenant_id) OR ((old.role)::text IS DISTINCT FROM (new.role)::text) OR (old.disabled_at IS DISTINCT FROM new.disabled_at))) EXECUTE FUNCTION record_identity_change('user_id');
CREATE TRIGGER memberships_identity_end AFTER INSERT OR DELETE ON public.memberships FOR EACH ROW EXECUTE FUNCTION record_identity_change('user_id');
CREATE TRIGGER memberships_leave_on_call AFTER DELETE OR UPDATE OF disabled_at ON public.memberships FOR EACH ROW EXECUTE FUNCTION leave_on_call();
CREATE TRIGGER memberships_lose_steps AFTER UPDATE OF disabled_at ON public.memberships FOR EACH ROW WHEN (((old.disabled_at IS NULL) AND (new.disabled_at IS NOT NULL))) EXECUTE FUNCTION lose_steps();
CREATE TRIGGER memberships_service BEFORE INSERT ON public.memberships FOR EACH ROW EXECUTE FUNCTION mark_service_user();
CREATE TRIGGER raise_updated_at BEFORE UPDATE OF updated_at ON public.memberships FOR EACH ROW WHEN (((new.updated_at <= old.updated_at) AND (new.updated_at > (old.updated_at - '00:01:00'::interval)))) EXECUTE FUNCTION raise_updated_at();
alter table memberships enable row level security;
alter table memberships force row level security;
create policy own_tenant on memberships as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on memberships as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on memberships as permissive for all to vedette_owner using (true) with check (true);
grant delete, insert, select, update (disabled_at, role, updated_at) on memberships to vedette_app;
grant delete, insert, select, update on memberships to vedette_platform;

create table migration_divergences (
  id uuid not null,
  migration_id uuid not null,
  tenant_id uuid not null,
  monitor_id uuid not null,
  kind character varying(10) not null,
  ours jsonb not null,
  theirs jsonb not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  polls integer default 1 not null,
  verdict character varying(20) not null,
  explanation text not null,
  constraint migration_divergences_kind_check CHECK (((kind)::text = ANY ((ARRAY['state'::character varying, 'latency'::character varying, 'missed'::character varying, 'extra'::character varying])::text[]))),
  constraint migration_divergences_migration_id_fkey FOREIGN KEY (migration_id) REFERENCES provider_migrations(id) ON DELETE CASCADE,
  constraint migration_divergences_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint migration_divergences_pkey PRIMARY KEY (id),
  constraint migration_divergences_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX migration_divergences_by_tenant ON public.migration_divergences USING btree (tenant_id);
CREATE INDEX migration_divergences_listed ON public.migration_divergences USING btree (migration_id, started_at DESC, id DESC);
CREATE UNIQUE INDEX migration_divergences_open ON public.migration_divergences USING btree (migration_id, monitor_id) WHERE (ended_at IS NULL);
alter table migration_divergences enable row level security;
alter table migration_divergences force row level security;
create policy own_tenant on migration_divergences as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on migration_divergences as permissive for all to vedette_platform using (true) with check (true);
grant select on migration_divergences to vedette_app;
grant delete, insert, select, update on migration_divergences to vedette_platform;

create table migration_files (
  migration_id uuid not null,
  tenant_id uuid not null,
  ordinal integer not null,
  content text not null,
  constraint migration_files_migration_id_fkey FOREIGN KEY (migration_id) REFERENCES provider_migrations(id) ON DELETE CASCADE,
  constraint migration_files_pkey PRIMARY KEY (migration_id, ordinal),
  constraint migration_files_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX migration_files_by_tenant ON public.migration_files USING btree (tenant_id);
alter table migration_files enable row level security;
alter table migration_files force row level security;
create policy own_tenant on migration_files as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on migration_files as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select on migration_files to vedette_app;
grant delete, insert, select, update on migration_files to vedette_platform;

create table migration_items (
  migration_id uuid not null,
  tenant_id uuid not null,
  ordinal integer not null,
  kind character varying(20) not null,
  source_id character varying(255) not null,
  source_kind character varying(60) not null,
  name character varying(255) not null,
  target text,
  action character varying(10) not null,
  reason text not null,
  exceeds character varying(40),
  stand_ins jsonb default '[]'::jsonb not null,
  wanted text,
  is_enabled boolean default true not null,
  state character varying(10) default 'pending'::character varying not null,
  failure text,
  monitor_id uuid,
  status_page_id uuid,
  keeps_ping_address boolean,
  past_incidents integer,
  has_history boolean default false not null,
  constraint migration_items_action_check CHECK (((action)::text = ANY ((ARRAY['create'::character varying, 'update'::character varying, 'skip'::character varying])::text[]))),
  constraint migration_items_migration_id_fkey FOREIGN KEY (migration_id) REFERENCES provider_migrations(id) ON DELETE CASCADE,
  constraint migration_items_migration_id_kind_source_id_key UNIQUE (migration_id, kind, source_id),
  constraint migration_items_pkey PRIMARY KEY (migration_id, ordinal),
  constraint migration_items_state_check CHECK (((state)::text = ANY ((ARRAY['pending'::character varying, 'done'::character varying, 'failed'::character varying, 'left_out'::character varying])::text[]))),
  constraint migration_items_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX migration_items_by_tenant ON public.migration_items USING btree (tenant_id);
CREATE INDEX migration_items_with_history ON public.migration_items USING btree (migration_id, ordinal) WHERE has_history;
alter table migration_items enable row level security;
alter table migration_items force row level security;
create policy own_tenant on migration_items as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on migration_items as permissive for all to vedette_platform using (true) with check (true);
grant select, update (failure, keeps_ping_address, monitor_id, stand_ins, state, status_page_id) on migration_items to vedette_app;
grant delete, insert, select, update on migration_items to vedette_platform;

create table monitor_changes (
  tenant_id uuid not null,
  monitor_id uuid not null,
  at timestamp with time zone not null,
  verdict character varying(20) not null,
  constraint monitor_changes_pkey PRIMARY KEY (tenant_id, monitor_id, at) INCLUDE (verdict),
  constraint monitor_changes_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
alter table monitor_changes enable row level security;
alter table monitor_changes force row level security;
create policy own_tenant on monitor_changes as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on monitor_changes as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on monitor_changes as permissive for all to vedette_owner using (true) with check (true);
grant select on monitor_changes to vedette_app;
grant delete, insert, select, update on monitor_changes to vedette_platform;

create table monitor_templates (
  id uuid not null,
  tenant_id uuid not null,
  name character varying(255) not null,
  monitors jsonb not null,
  variables jsonb not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint monitor_templates_pkey PRIMARY KEY (id),
  constraint monitor_templates_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint monitor_templates_tenant_id_id_key UNIQUE (tenant_id, id)
);
CREATE INDEX monitor_templates_by_name ON public.monitor_templates USING btree (tenant_id, name COLLATE "und-x-icu", id);
CREATE TRIGGER raise_updated_at BEFORE UPDATE OF updated_at ON public.monitor_templates FOR EACH ROW WHEN (((new.updated_at <= old.updated_at) AND (new.updated_at > (old.updated_at - '00:01:00'::interval)))) EXECUTE FUNCTION raise_updated_at();
alter table monitor_templates enable row level security;
alter table monitor_templates force row level security;
create policy own_reseller on monitor_templates as permissive for all to vedette_app using ((tenant_id = ( SELECT current_reseller() AS current_reseller))) with check ((tenant_id = ( SELECT current_reseller() AS current_reseller)));
create policy platform on monitor_templates as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (monitors, name, updated_at, variables) on monitor_templates to vedette_app;
grant delete, insert, select, update on monitor_templates to vedette_platform;

create table monitoring_gaps (
  id bigint generated always as identity not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  constraint monitoring_gaps_pkey PRIMARY KEY (id)
);
CREATE INDEX monitoring_gaps_ended ON public.monitoring_gaps USING btree (ended_at);
alter table monitoring_gaps enable row level security;
alter table monitoring_gaps force row level security;
create policy platform on monitoring_gaps as permissive for all to vedette_platform using (true) with check (true);
create policy shared on monitoring_gaps as permissive for select to vedette_app using (true);
grant select on monitoring_gaps to vedette_app;
grant delete, insert, select, update on monitoring_gaps to vedette_platform;

create table monitors (
  id uuid not null,
  tenant_id uuid not null,
  name character varying(255) not null,
  url text not null,
  type character varying(20) not null,
  tags text[] default '{}'::text[] not null,
  group_name character varying(100),
  notes text,
  is_enabled boolean default true not null,
  held_by_plan boolean default false not null,
  check_interval integer not null,
  timeout integer not null,
  regions text[] default '{}'::text[] not null,
  region_policy jsonb not null,
  confirmations smallint not null,
  recovery_confirmations smallint not null,
  depends_on uuid[] default '{}'::uuid[] not null,
  status character varying(20),
  status_reason text,
  status_changed_at timestamp with time zone,
  coverage character varying(10) default 'none'::character varying not null,
  external_ref character varying(255),
  metadata jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  switched_at timestamp with time zone,
  is_kept boolean default false not null,
  coverage_since timestamp with time zone,
  escalation_policy_id uuid,
  slo jsonb,
  is_shadow boolean default false not null,
  constraint monitors_external_ref UNIQUE (tenant_id, external_ref) DEFERRABLE,
  constraint monitors_pkey PRIMARY KEY (id),
  constraint monitors_slo_check CHECK (((slo IS NULL) OR (((((slo ->> 'target_pct'::text))::numeric >= (50)::numeric) AND (((slo ->> 'target_pct'::text))::numeric <= 99.999)) AND ((((slo ->> 'window_days'::text))::integer >= 7) AND (((slo ->> 'window_days'::text))::integer <= 90))))),
  constraint monitors_tenant_id_escalation_policy_id_fkey FOREIGN KEY (tenant_id, escalation_policy_id) REFERENCES escalation_policies(tenant_id, id),
  constraint monitors_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX monitors_by_created ON public.monitors USING btree (tenant_id, created_at, id);
CREATE INDEX monitors_by_interval ON public.monitors USING btree (tenant_id, check_interval, id);
CREATE INDEX monitors_by_name ON public.monitors USING btree (tenant_id, name COLLATE "und-x-icu", id);
CREATE INDEX monitors_by_status ON public.monitors USING btree (tenant_id, status);
CREATE INDEX monitors_by_tag ON public.monitors USING gin (tags);
CREATE INDEX monitors_by_url ON public.monitors USING btree (tenant_id, url, id);
CREATE INDEX monitors_escalation_policy ON public.monitors USING btree (tenant_id, escalation_policy_id) WHERE (escalation_policy_id IS NOT NULL);
CREATE INDEX monitors_parents ON public.monitors USING gin (depends_on);
CREATE INDEX monitors_with_slo ON public.monitors USING btree (id) WHERE (slo IS NOT NULL);
CREATE TRIGGER monitors_change AFTER INSERT OR DELETE OR UPDATE ON public.monitors FOR EACH ROW EXECUTE FUNCTION monitor_changed();
CREATE TRIGGER monitors_change_maintenance AFTER UPDATE ON public.monitors FOR EACH ROW WHEN ((old.tags IS DISTINCT FROM new.tags)) EXECUTE FUNCTION join_maintenance();
CREATE TRIGGER monitors_count_added AFTER INSERT ON public.monitors REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_monitors();
CREATE TRIGGER monitors_count_changed AFTER UPDATE ON public.monitors REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_monitors();
CREATE TRIGGER monitors_count_removed AFTER DELETE ON public.monitors REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_monitors();
CREATE TRIGGER monitors_groups_added AFTER INSERT ON public.monitors REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notify_groups_shown();
CREATE TRIGGER monitors_groups_removed AFTER DELETE ON public.monitors REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notify_groups_shown();
CREATE TRIGGER monitors_join_maintenance AFTER INSERT ON public.monitors FOR EACH ROW EXECUTE FUNCTION join_maintenance();
CREATE TRIGGER monitors_pause AFTER UPDATE ON public.monitors FOR EACH ROW WHEN (((old.is_enabled AND (NOT old.held_by_plan)) IS DISTINCT FROM (new.is_enabled AND (NOT new.held_by_plan)))) EXECUTE FUNCTION record_monitor_pause();
CREATE TRIGGER monitors_removed AFTER DELETE ON public.monitors FOR EACH ROW EXECUTE FUNCTION record_monitor_removal();
CREATE TRIGGER monitors_stream AFTER UPDATE ON public.monitors REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION stream_changed_monitors();
CREATE TRIGGER raise_updated_at BEFORE UPDATE OF updated_at ON public.monitors FOR EACH ROW WHEN (((new.updated_at <= old.updated_at) AND (new.updated_at > (old.updated_at - '00:01:00'::interval)))) EXECUTE FUNCTION raise_updated_at();
alter table monitors enable row level security;
alter table monitors force row level security;
create policy own_tenant on monitors as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on monitors as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on monitors as permissive for all to vedette_owner using (true) with check (true);
grant delete, insert, select, update (check_interval, confirmations, depends_on, escalation_policy_id, external_ref, group_name, held_by_plan, is_enabled, is_kept, is_shadow, metadata, name, notes, recovery_confirmations, region_policy, regions, slo, switched_at, tags, timeout, type, updated_at, url) on monitors to vedette_app;
grant delete, insert, select, update on monitors to vedette_platform;

create table monthly_report_mails (
  tenant_id uuid not null,
  user_id uuid not null,
  month character(7) not null,
  constraint monthly_report_mails_pkey PRIMARY KEY (user_id, tenant_id, month),
  constraint monthly_report_mails_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint monthly_report_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX monthly_report_mails_tenant ON public.monthly_report_mails USING btree (tenant_id);
alter table monthly_report_mails enable row level security;
alter table monthly_report_mails force row level security;
create policy platform on monthly_report_mails as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on monthly_report_mails to vedette_platform;

create table notification_channels (
  id uuid not null,
  tenant_id uuid not null,
  name character varying(255) not null,
  type character varying(20) not null,
  config jsonb not null,
  secrets text,
  is_enabled boolean default true not null,
  failing_since timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  failing_notified_at timestamp with time zone,
  owner_user_id uuid,
  position integer,
  is_account boolean default false not null,
  verified_at timestamp with time zone,
  constraint notification_channels_owner_user_id_tenant_id_fkey FOREIGN KEY (owner_user_id, tenant_id) REFERENCES memberships(user_id, tenant_id) ON DELETE CASCADE,
  constraint notification_channels_pkey PRIMARY KEY (id),
  constraint notification_channels_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint notification_channels_tenant_id_id_key UNIQUE (tenant_id, id)
);
CREATE INDEX notification_channels_by_created ON public.notification_channels USING btree (tenant_id, created_at, id);
CREATE UNIQUE INDEX notification_channels_of_account ON public.notification_channels USING btree (owner_user_id, tenant_id) WHERE is_account;
CREATE INDEX notification_channels_of_person ON public.notification_channels USING btree (owner_user_id, tenant_id, "position") WHERE (owner_user_id IS NOT NULL);
CREATE TRIGGER notification_channels_change AFTER INSERT OR DELETE OR UPDATE ON public.notification_channels FOR EACH ROW EXECUTE FUNCTION alerting_changed('{failing_since,failing_notified_at,updated_at}');
alter table notification_channels enable row level security;
alter table notification_channels force row level security;
create policy own_tenant on notification_channels as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on notification_channels as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on notification_channels as permissive for all to vedette_owner using (true) with check (true);
grant delete, insert, select, update (config, is_enabled, name, position, secrets, updated_at, verified_at) on notification_channels to vedette_app;
grant delete, insert, select, update on notification_channels to vedette_platform;

create table notification_decisions (
  id uuid default gen_random_uuid() not null,
  tenant_id uuid not null,
  reseller_id uuid,
  incident_id uuid not null,
  event_id bigint not null,
  event character varying(60) not null,
  stage character varying(10) not null,
  channels jsonb not null,
  emitted_at timestamp with time zone not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint notification_decisions_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id) ON DELETE CASCADE,
  constraint notification_decisions_pkey PRIMARY KEY (id),
  constraint notification_decisions_reseller_id_fkey FOREIGN KEY (reseller_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint notification_decisions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX notification_decisions_by_created ON public.notification_decisions USING btree (tenant_id, created_at);
CREATE UNIQUE INDEX notification_decisions_of_event ON public.notification_decisions USING btree (incident_id, event_id, reseller_id) NULLS NOT DISTINCT;
CREATE INDEX notification_decisions_of_reseller ON public.notification_decisions USING btree (reseller_id) WHERE (reseller_id IS NOT NULL);
alter table notification_decisions enable row level security;
alter table notification_decisions force row level security;
create policy own_channels on notification_decisions as permissive for select to vedette_app using (((tenant_id = ( SELECT current_tenant() AS current_tenant)) AND ((reseller_id IS NULL) OR (reseller_id = ( SELECT current_reseller() AS current_reseller)))));
create policy platform on notification_decisions as permissive for all to vedette_platform using (true) with check (true);
grant select on notification_decisions to vedette_app;
grant delete, insert, select, update on notification_decisions to vedette_platform;

create table notification_rules (
  id uuid not null,
  tenant_id uuid not null,
  channel_id uuid not null,
  event_types text[] not null,
  monitor_filter jsonb,
  tenant_filter jsonb,
  is_webhook boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint notification_rules_pkey PRIMARY KEY (id),
  constraint notification_rules_tenant_id_channel_id_fkey FOREIGN KEY (tenant_id, channel_id) REFERENCES notification_channels(tenant_id, id) ON DELETE CASCADE,
  constraint notification_rules_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX notification_rules_by_created ON public.notification_rules USING btree (tenant_id, created_at, id);
CREATE INDEX notification_rules_channel ON public.notification_rules USING btree (channel_id);
CREATE TRIGGER notification_rules_change AFTER INSERT OR DELETE OR UPDATE ON public.notification_rules FOR EACH ROW EXECUTE FUNCTION alerting_changed('{updated_at}');
alter table notification_rules enable row level security;
alter table notification_rules force row level security;
create policy own_tenant on notification_rules as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on notification_rules as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (channel_id, event_types, monitor_filter, tenant_filter, updated_at) on notification_rules to vedette_app;
grant delete, insert, select, update on notification_rules to vedette_platform;

create table on_call_calendars (
  user_id uuid not null,
  tenant_id uuid not null,
  token_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint on_call_calendars_pkey PRIMARY KEY (user_id, tenant_id),
  constraint on_call_calendars_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint on_call_calendars_token_hash_key UNIQUE (token_hash),
  constraint on_call_calendars_user_id_tenant_id_fkey FOREIGN KEY (user_id, tenant_id) REFERENCES memberships(user_id, tenant_id) ON DELETE CASCADE
);
CREATE INDEX on_call_calendars_of_tenant ON public.on_call_calendars USING btree (tenant_id);
alter table on_call_calendars enable row level security;
alter table on_call_calendars force row level security;
create policy own_tenant on on_call_calendars as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on on_call_calendars as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (created_at, token_hash) on on_call_calendars to vedette_app;
grant delete, insert, select, update on on_call_calendars to vedette_platform;

create table on_call_overrides (
  id uuid not null,
  tenant_id uuid not null,
  schedule_id uuid not null,
  user_id uuid not null,
  replaces_user_id uuid,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  reason character varying(255),
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  policy_id uuid,
  constraint on_call_overrides_pkey PRIMARY KEY (id),
  constraint on_call_overrides_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint on_call_overrides_tenant_id_policy_id_fkey FOREIGN KEY (tenant_id, policy_id) REFERENCES escalation_policies(tenant_id, id) ON DELETE CASCADE,
  constraint on_call_overrides_tenant_id_schedule_id_fkey FOREIGN KEY (tenant_id, schedule_id) REFERENCES on_call_schedules(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX on_call_overrides_of_person ON public.on_call_overrides USING btree (user_id, tenant_id);
CREATE INDEX on_call_overrides_of_policy ON public.on_call_overrides USING btree (tenant_id, policy_id) WHERE (policy_id IS NOT NULL);
CREATE INDEX on_call_overrides_of_replaced ON public.on_call_overrides USING btree (replaces_user_id, tenant_id) WHERE (replaces_user_id IS NOT NULL);
CREATE INDEX on_call_overrides_of_schedule ON public.on_call_overrides USING btree (schedule_id, ends_at);
alter table on_call_overrides enable row level security;
alter table on_call_overrides force row level security;
create policy own_tenant on on_call_overrides as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on on_call_overrides as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on on_call_overrides as permissive for all to vedette_owner using (true) with check (true);
grant delete, insert, select, update (ends_at) on on_call_overrides to vedette_app;
grant delete, insert, select, update on on_call_overrides to vedette_platform;

create table on_call_rotation_users (
  rotation_id uuid not null,
  user_id uuid not null,
  tenant_id uuid not null,
  position integer not null,
  constraint on_call_rotation_users_pkey PRIMARY KEY (rotation_id, user_id),
  constraint on_call_rotation_users_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint on_call_rotation_users_tenant_id_rotation_id_fkey FOREIGN KEY (tenant_id, rotation_id) REFERENCES on_call_rotations(tenant_id, id) ON DELETE CASCADE,
  constraint on_call_rotation_users_user_id_tenant_id_fkey FOREIGN KEY (user_id, tenant_id) REFERENCES memberships(user_id, tenant_id) ON DELETE CASCADE
);
CREATE INDEX on_call_rotation_users_of_person ON public.on_call_rotation_users USING btree (user_id, tenant_id);
alter table on_call_rotation_users enable row level security;
alter table on_call_rotation_users force row level security;
create policy own_tenant on on_call_rotation_users as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on on_call_rotation_users as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select on on_call_rotation_users to vedette_app;
grant delete, insert, select, update on on_call_rotation_users to vedette_platform;

create table on_call_rotation_versions (
  rotation_id uuid not null,
  number integer not null,
  tenant_id uuid not null,
  from_at timestamp with time zone,
  timezone character varying(64) not null,
  users uuid[] not null,
  handoff character varying(10) not null,
  shift_minutes integer,
  first_handoff_at character varying(16) not null,
  restrictions jsonb not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  turn integer not null,
  first integer not null,
  constraint on_call_rotation_versions_pkey PRIMARY KEY (rotation_id, number),
  constraint on_call_rotation_versions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint on_call_rotation_versions_tenant_id_rotation_id_fkey FOREIGN KEY (tenant_id, rotation_id) REFERENCES on_call_rotations(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX on_call_rotation_versions_of_tenant ON public.on_call_rotation_versions USING btree (tenant_id);
alter table on_call_rotation_versions enable row level security;
alter table on_call_rotation_versions force row level security;
create policy own_tenant on on_call_rotation_versions as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on on_call_rotation_versions as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on on_call_rotation_versions as permissive for select to vedette_owner using (true);
grant delete, insert, select on on_call_rotation_versions to vedette_app;
grant delete, insert, select, update on on_call_rotation_versions to vedette_platform;

create table on_call_rotations (
  id uuid not null,
  tenant_id uuid not null,
  schedule_id uuid not null,
  position integer not null,
  name character varying(255) not null,
  handoff character varying(10) not null,
  shift_minutes integer,
  first_handoff_at character varying(16) not null,
  restrictions jsonb not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint on_call_rotations_check CHECK ((((handoff)::text = 'custom'::text) = (shift_minutes IS NOT NULL))),
  constraint on_call_rotations_pkey PRIMARY KEY (id),
  constraint on_call_rotations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint on_call_rotations_tenant_id_id_key UNIQUE (tenant_id, id),
  constraint on_call_rotations_tenant_id_schedule_id_fkey FOREIGN KEY (tenant_id, schedule_id) REFERENCES on_call_schedules(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX on_call_rotations_of_schedule ON public.on_call_rotations USING btree (schedule_id, "position");
alter table on_call_rotations enable row level security;
alter table on_call_rotations force row level security;
create policy own_tenant on on_call_rotations as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on on_call_rotations as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on on_call_rotations as permissive for select to vedette_owner using (true);
grant delete, insert, select, update (ends_at, first_handoff_at, handoff, name, position, restrictions, shift_minutes, starts_at, updated_at) on on_call_rotations to vedette_app;
grant delete, insert, select, update on on_call_rotations to vedette_platform;

create table on_call_schedules (
  id uuid not null,
  tenant_id uuid not null,
  name character varying(255) not null,
  timezone character varying(64) not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  watch_at timestamp with time zone default clock_timestamp() not null,
  knows_duty boolean default true not null,
  on_duty_user_id uuid,
  warned_gaps jsonb default '[]'::jsonb not null,
  constraint on_call_schedules_pkey PRIMARY KEY (id),
  constraint on_call_schedules_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint on_call_schedules_tenant_id_id_key UNIQUE (tenant_id, id)
);
CREATE INDEX on_call_schedules_by_created ON public.on_call_schedules USING btree (tenant_id, created_at, id);
CREATE INDEX on_call_schedules_due ON public.on_call_schedules USING btree (watch_at);
alter table on_call_schedules enable row level security;
alter table on_call_schedules force row level security;
create policy own_tenant on on_call_schedules as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on on_call_schedules as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on on_call_schedules as permissive for all to vedette_owner using (true) with check (true);
grant delete, insert, select, update (name, timezone, updated_at, watch_at) on on_call_schedules to vedette_app;
grant delete, insert, select, update on on_call_schedules to vedette_platform;

create table outbox (
  id bigint generated always as identity not null,
  tenant_id uuid not null,
  kind character varying(10) not null,
  name character varying(60) not null,
  payload jsonb not null,
  created_at timestamp with time zone default now() not null,
  done_at timestamp with time zone,
  attempts integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  error text,
  is_personal boolean default false not null,
  dead_at timestamp with time zone,
  dead_id uuid,
  waits integer default 0 not null,
  suppression jsonb,
  constraint outbox_pkey PRIMARY KEY (id),
  constraint outbox_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX outbox_dead ON public.outbox USING btree (dead_id) WHERE (dead_id IS NOT NULL);
CREATE INDEX outbox_dead_by_moment ON public.outbox USING btree (dead_at, id) WHERE (dead_at IS NOT NULL);
CREATE INDEX outbox_mails_by_tenant ON public.outbox USING btree (tenant_id, next_at, id) WHERE ((done_at IS NULL) AND ((kind)::text = 'mail'::text));
CREATE INDEX outbox_open ON public.outbox USING btree (next_at, id) WHERE (done_at IS NULL);
CREATE INDEX outbox_open_of_monitor ON public.outbox USING btree (((payload ->> 'monitor_id'::text)), id) WHERE ((COALESCE(done_at, 'infinity'::timestamp with time zone) = 'infinity'::timestamp with time zone) AND ((kind)::text = 'event'::text));
CREATE INDEX outbox_undelivered ON public.outbox USING btree (tenant_id, id) WHERE (((kind)::text = 'mail'::text) AND (error IS NOT NULL));
CREATE TRIGGER outbox_mails_notify AFTER INSERT ON public.outbox FOR EACH ROW WHEN (((new.kind)::text = 'mail'::text)) EXECUTE FUNCTION notify_mails();
CREATE TRIGGER outbox_stream AFTER INSERT ON public.outbox REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION stream_outbox_events();
alter table outbox enable row level security;
alter table outbox force row level security;
create policy by_reseller on outbox as permissive for insert to vedette_app with check (((tenant_id = ( SELECT current_reseller() AS current_reseller)) OR (EXISTS ( SELECT 1
   FROM managed_teams t
  WHERE ((t.tenant_id = outbox.tenant_id) AND (t.reseller_id = ( SELECT current_reseller() AS current_reseller)))))));
create policy own_tenant on outbox as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on outbox as permissive for all to vedette_platform using (true) with check (true);
grant insert, select on outbox to vedette_app;
grant delete, insert, select, update on outbox to vedette_platform;

create table partner_sso (
  tenant_id uuid not null,
  is_enabled boolean,
  secret text,
  hide_password_login boolean default false not null,
  auto_register boolean,
  auto_link_existing_users boolean,
  links_valid_from timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint partner_sso_pkey PRIMARY KEY (tenant_id),
  constraint partner_sso_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
alter table partner_sso enable row level security;
alter table partner_sso force row level security;
create policy own_tenant on partner_sso as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on partner_sso as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (auto_link_existing_users, auto_register, hide_password_login, is_enabled, secret, updated_at) on partner_sso to vedette_app;
grant delete, insert, select, update on partner_sso to vedette_platform;

create table partner_sso_people (
  tenant_id uuid not null,
  user_id uuid not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint partner_sso_people_pkey PRIMARY KEY (tenant_id, user_id),
  constraint partner_sso_people_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint partner_sso_people_user_id_tenant_id_fkey FOREIGN KEY (user_id, tenant_id) REFERENCES memberships(user_id, tenant_id) ON DELETE CASCADE
);
alter table partner_sso_people enable row level security;
alter table partner_sso_people force row level security;
create policy own_tenant on partner_sso_people as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on partner_sso_people as permissive for all to vedette_platform using (true) with check (true);
grant delete, select on partner_sso_people to vedette_app;
grant delete, insert, select, update on partner_sso_people to vedette_platform;

create table partner_sso_uses (
  tenant_id uuid not null,
  jti character varying(128) not null,
  expires_at timestamp with time zone default clock_timestamp() not null,
  used_at timestamp with time zone default clock_timestamp() not null,
  constraint partner_sso_uses_pkey PRIMARY KEY (tenant_id, jti),
  constraint partner_sso_uses_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX partner_sso_uses_by_end ON public.partner_sso_uses USING btree (expires_at);
alter table partner_sso_uses enable row level security;
alter table partner_sso_uses force row level security;
create policy platform on partner_sso_uses as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on partner_sso_uses to vedette_platform;

create unlogged table passkey_challenges (
  challenge_hash bytea not null,
  purpose character varying(8) default 'sign_in'::character varying not null,
  user_id uuid,
  rp_id character varying(253) not null,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (challenge_hash),
  constraint passkey_challenges_purpose_check CHECK (((purpose)::text = ANY ((ARRAY['register'::character varying, 'sign_in'::character varying])::text[])))
);
CREATE INDEX passkey_challenges_by_end ON public.passkey_challenges USING btree (expires_at);
alter table passkey_challenges enable row level security;
alter table passkey_challenges force row level security;
create policy platform on passkey_challenges as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on passkey_challenges to vedette_platform;

create table passkeys (
  id uuid not null,
  user_id uuid not null,
  rp_id character varying(253) not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint default 0 not null,
  is_backup_eligible boolean default false not null,
  is_backed_up boolean default false not null,
  transports text[] default '{}'::text[] not null,
  aaguid uuid not null,
  name character varying(100) not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_rp_id_credential_id_key UNIQUE (rp_id, credential_id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_of_user ON public.passkeys USING btree (user_id, created_at, id);
alter table passkeys enable row level security;
alter table passkeys force row level security;
create policy own on passkeys as permissive for all to vedette_app using ((user_id = ( SELECT current_user_id() AS current_user_id))) with check ((user_id = ( SELECT current_user_id() AS current_user_id)));
create policy platform on passkeys as permissive for all to vedette_platform using (true) with check (true);
create policy team_mates_delete on passkeys as permissive for delete to vedette_app using ((EXISTS ( SELECT 1
   FROM memberships m
  WHERE ((m.user_id = passkeys.user_id) AND (m.tenant_id = ( SELECT current_tenant() AS current_tenant))))));
create policy team_mates_select on passkeys as permissive for select to vedette_app using ((EXISTS ( SELECT 1
   FROM memberships m
  WHERE ((m.user_id = passkeys.user_id) AND (m.tenant_id = ( SELECT current_tenant() AS current_tenant))))));
grant delete, insert, select, update (name, updated_at) on passkeys to vedette_app;
grant delete, insert, select, update on passkeys to vedette_platform;

create table password_resets (
  token_hash bytea not null,
  user_id uuid not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone not null,
  constraint password_resets_pkey PRIMARY KEY (token_hash),
  constraint password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX password_resets_user ON public.password_resets USING btree (user_id);
alter table password_resets enable row level security;
alter table password_resets force row level security;
create policy platform on password_resets as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on password_resets to vedette_platform;

create table ping_addresses (
  id uuid default gen_random_uuid() not null,
  tenant_id uuid not null,
  check_id uuid not null,
  ends_at timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint ping_addresses_check_id_fkey FOREIGN KEY (check_id) REFERENCES heartbeats(check_id) ON DELETE CASCADE,
  constraint ping_addresses_pkey PRIMARY KEY (id),
  constraint ping_addresses_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX ping_addresses_check ON public.ping_addresses USING btree (check_id);
CREATE UNIQUE INDEX ping_addresses_current ON public.ping_addresses USING btree (check_id) WHERE (ends_at IS NULL);
CREATE INDEX ping_addresses_tenant ON public.ping_addresses USING btree (tenant_id);
alter table ping_addresses enable row level security;
alter table ping_addresses force row level security;
create policy own_tenant on ping_addresses as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on ping_addresses as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (ends_at) on ping_addresses to vedette_app;
grant delete, insert, select, update on ping_addresses to vedette_platform;

create table ping_aliases (
  kind character varying(20) not null,
  token_hash bytea not null,
  tenant_id uuid not null,
  check_id uuid not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint ping_aliases_check_id_fkey FOREIGN KEY (check_id) REFERENCES heartbeats(check_id) ON DELETE CASCADE,
  constraint ping_aliases_kind_check CHECK (((kind)::text = ANY ((ARRAY['healthchecks'::character varying, 'healthchecks-slug'::character varying, 'uptime-kuma'::character varying, 'better-stack'::character varying])::text[]))),
  constraint ping_aliases_pkey PRIMARY KEY (kind, token_hash),
  constraint ping_aliases_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint ping_aliases_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE UNIQUE INDEX ping_aliases_of_check ON public.ping_aliases USING btree (check_id, kind);
CREATE INDEX ping_aliases_of_tenant ON public.ping_aliases USING btree (tenant_id);
alter table ping_aliases enable row level security;
alter table ping_aliases force row level security;
create policy own_tenant on ping_aliases as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on ping_aliases as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select on ping_aliases to vedette_app;
grant delete, insert, select, update on ping_aliases to vedette_platform;

create table pings (
  check_id uuid not null,
  place smallint not null,
  tenant_id uuid not null,
  number bigint not null,
  at timestamp with time zone not null,
  state character varying(10) not null,
  method character varying(4) not null,
  run_id character varying(64),
  exit_code integer,
  duration_ms bigint,
  output text,
  ip inet,
  is_former_url boolean default false not null,
  constraint pings_check_id_tenant_id_fkey FOREIGN KEY (check_id, tenant_id) REFERENCES heartbeats(check_id, tenant_id) ON DELETE CASCADE,
  constraint pings_pkey PRIMARY KEY (check_id, place)
);
alter table pings enable row level security;
alter table pings force row level security;
create policy own_tenant on pings as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on pings as permissive for all to vedette_platform using (true) with check (true);
grant select on pings to vedette_app;
grant delete, insert, select, update on pings to vedette_platform;

create table portals (
  tenant_id uuid not null,
  slug character varying(100),
  is_enabled boolean default true not null,
  support_email character varying(255),
  sign_up_enabled boolean default false not null,
  sign_up_plan character varying(20),
  sign_up_profile_id uuid,
  sign_up_domains text[] default '{}'::text[] not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint portals_pkey PRIMARY KEY (tenant_id),
  constraint portals_sign_up_profile_id_fkey FOREIGN KEY (sign_up_profile_id) REFERENCES provisioning_profiles(id) ON DELETE SET NULL,
  constraint portals_slug_key UNIQUE (slug),
  constraint portals_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX portals_of_profile ON public.portals USING btree (sign_up_profile_id) WHERE (sign_up_profile_id IS NOT NULL);
CREATE TRIGGER portals_changed AFTER INSERT OR UPDATE ON public.portals FOR EACH ROW EXECUTE FUNCTION notify_custom_domains();
alter table portals enable row level security;
alter table portals force row level security;
create policy own_tenant on portals as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on portals as permissive for all to vedette_platform using (true) with check (true);
grant insert, select, update (is_enabled, sign_up_domains, sign_up_enabled, sign_up_plan, sign_up_profile_id, slug, support_email, updated_at) on portals to vedette_app;
grant delete, insert, select, update on portals to vedette_platform;

create unlogged table process_reports (
  id uuid not null,
  started_at timestamp with time zone not null,
  reported_at timestamp with time zone default clock_timestamp() not null,
  report jsonb not null,
  constraint process_reports_pkey PRIMARY KEY (id)
);
alter table process_reports enable row level security;
alter table process_reports force row level security;
create policy platform on process_reports as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on process_reports to vedette_platform;

create table provider_migrations (
  id uuid not null,
  tenant_id uuid not null,
  provider character varying(30) not null,
  name character varying(255) not null,
  account character varying(100) default ''::character varying not null,
  base_url text,
  options jsonb default '{}'::jsonb not null,
  state character varying(12) default 'draft'::character varying not null,
  failed_in character varying(12),
  failure text,
  credentials text,
  credentials_expire_at timestamp with time zone,
  has_file boolean default false not null,
  phase character varying(20),
  done integer default 0 not null,
  total integer default 0 not null,
  counts jsonb default '{}'::jsonb not null,
  notes jsonb default '[]'::jsonb not null,
  asked_by uuid,
  previewed_at timestamp with time zone,
  shadow_at timestamp with time zone,
  cutover_at timestamp with time zone,
  rollback_until timestamp with time zone,
  polled_at timestamp with time zone,
  poll_failure text,
  polls integer default 0 not null,
  pauses_source boolean default false not null,
  revision integer default 0 not null,
  steps integer default 0 not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint provider_migrations_pkey PRIMARY KEY (id),
  constraint provider_migrations_state_check CHECK (((state)::text = ANY ((ARRAY['draft'::character varying, 'previewed'::character varying, 'importing'::character varying, 'imported'::character varying, 'shadow'::character varying, 'ready'::character varying, 'cutover'::character varying, 'rolled_back'::character varying, 'failed'::character varying, 'cancelled'::character varying])::text[]))),
  constraint provider_migrations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX provider_migrations_by_tenant ON public.provider_migrations USING btree (tenant_id, created_at DESC, id DESC);
CREATE INDEX provider_migrations_with_credentials ON public.provider_migrations USING btree (credentials_expire_at) WHERE (credentials_expire_at IS NOT NULL);
alter table provider_migrations enable row level security;
alter table provider_migrations force row level security;
create policy own_tenant on provider_migrations as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on provider_migrations as permissive for all to vedette_platform using (true) with check (true);
grant insert, select, update (asked_by, base_url, counts, credentials, credentials_expire_at, cutover_at, done, failed_in, failure, has_file, pauses_source, phase, rollback_until, shadow_at, state, total, updated_at) on provider_migrations to vedette_app;
grant delete, insert, select, update on provider_migrations to vedette_platform;

create table provisioning_profiles (
  id uuid not null,
  tenant_id uuid not null,
  name character varying(255) not null,
  plan character varying(20) not null,
  trial_days integer,
  feature_overrides jsonb not null,
  branding jsonb not null,
  monitor_template_id uuid,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint provisioning_profiles_pkey PRIMARY KEY (id),
  constraint provisioning_profiles_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint provisioning_profiles_tenant_id_monitor_template_id_fkey FOREIGN KEY (tenant_id, monitor_template_id) REFERENCES monitor_templates(tenant_id, id)
);
CREATE INDEX provisioning_profiles_by_name ON public.provisioning_profiles USING btree (tenant_id, name COLLATE "und-x-icu", id);
CREATE INDEX provisioning_profiles_of_template ON public.provisioning_profiles USING btree (tenant_id, monitor_template_id);
CREATE TRIGGER raise_updated_at BEFORE UPDATE OF updated_at ON public.provisioning_profiles FOR EACH ROW WHEN (((new.updated_at <= old.updated_at) AND (new.updated_at > (old.updated_at - '00:01:00'::interval)))) EXECUTE FUNCTION raise_updated_at();
alter table provisioning_profiles enable row level security;
alter table provisioning_profiles force row level security;
create policy own_reseller on provisioning_profiles as permissive for all to vedette_app using ((tenant_id = ( SELECT current_reseller() AS current_reseller))) with check ((tenant_id = ( SELECT current_reseller() AS current_reseller)));
create policy platform on provisioning_profiles as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (branding, feature_overrides, monitor_template_id, name, plan, trial_days, updated_at) on provisioning_profiles to vedette_app;
grant delete, insert, select, update on provisioning_profiles to vedette_platform;

create table purged_tenants (
  tenant_id uuid not null,
  managed_team_id uuid not null,
  reseller_id uuid not null,
  deleted_at timestamp with time zone not null,
  purged_at timestamp with time zone default clock_timestamp() not null,
  results_erased_at timestamp with time zone,
  constraint purged_tenants_pkey PRIMARY KEY (tenant_id)
);
CREATE TRIGGER purged_tenants_notify AFTER INSERT ON public.purged_tenants FOR EACH ROW EXECUTE FUNCTION notify_purged();
alter table purged_tenants enable row level security;
alter table purged_tenants force row level security;
create policy platform on purged_tenants as permissive for all to vedette_platform using (true) with check (true);
grant insert, select, update on purged_tenants to vedette_platform;

create table pushed_reports (
  id bigint generated always as identity not null,
  tenant_id uuid not null,
  check_id uuid not null,
  at timestamp with time zone not null,
  judgement jsonb not null,
  excerpt text,
  reported_at timestamp with time zone default clock_timestamp() not null,
  constraint pushed_reports_check_id_fkey FOREIGN KEY (check_id) REFERENCES checks(id) ON DELETE CASCADE,
  constraint pushed_reports_pkey PRIMARY KEY (id),
  constraint pushed_reports_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX pushed_reports_check ON public.pushed_reports USING btree (check_id);
CREATE INDEX pushed_reports_tenant ON public.pushed_reports USING btree (tenant_id);
alter table pushed_reports enable row level security;
alter table pushed_reports force row level security;
create policy platform on pushed_reports as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on pushed_reports to vedette_platform;

create table quarantined_rows (
  id uuid default gen_random_uuid() not null,
  kind character varying(40) not null,
  key character varying(200) not null,
  tenant_id uuid,
  reason character varying(500) not null,
  since timestamp with time zone default clock_timestamp() not null,
  last_tried_at timestamp with time zone default clock_timestamp() not null,
  attempts integer default 1 not null,
  next_try_at timestamp with time zone not null,
  constraint quarantined_rows_kind_key_key UNIQUE (kind, key),
  constraint quarantined_rows_pkey PRIMARY KEY (id),
  constraint quarantined_rows_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX quarantined_rows_by_since ON public.quarantined_rows USING btree (since, id);
CREATE INDEX quarantined_rows_due ON public.quarantined_rows USING btree (next_try_at);
CREATE INDEX quarantined_rows_tenant ON public.quarantined_rows USING btree (tenant_id);
alter table quarantined_rows enable row level security;
alter table quarantined_rows force row level security;
create policy platform on quarantined_rows as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on quarantined_rows as permissive for all to vedette_owner using (true) with check (true);
grant delete, insert, select, update on quarantined_rows to vedette_platform;

create table quota_notices (
  tenant_id uuid not null,
  event character varying(40) not null,
  feature character varying(40) not null,
  notified_at timestamp with time zone not null,
  constraint quota_notices_pkey PRIMARY KEY (tenant_id, event, feature),
  constraint quota_notices_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
alter table quota_notices enable row level security;
alter table quota_notices force row level security;
create policy own_tenant on quota_notices as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on quota_notices as permissive for all to vedette_platform using (true) with check (true);
grant insert, select, update (notified_at) on quota_notices to vedette_app;
grant delete, insert, select, update on quota_notices to vedette_platform;

create unlogged table rate_windows (
  key bytea not null,
  slots bigint[] default '{}'::bigint[] not null,
  counts integer[] default '{}'::integer[] not null,
  ends_at bigint default 0 not null,
  constraint rate_windows_pkey PRIMARY KEY (key)
) with (fillfactor=50);
alter table rate_windows enable row level security;
alter table rate_windows force row level security;
create policy platform on rate_windows as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on rate_windows to vedette_platform;

create table region_eligibilities (
  id bigint generated always as identity not null,
  region character varying(40) not null,
  at timestamp with time zone not null,
  reason character varying(20),
  constraint region_eligibilities_pkey PRIMARY KEY (id)
);
CREATE INDEX region_eligibilities_by_time ON public.region_eligibilities USING btree (at);
CREATE INDEX region_eligibilities_of_region ON public.region_eligibilities USING btree (region, at DESC, id DESC);
alter table region_eligibilities enable row level security;
alter table region_eligibilities force row level security;
create policy platform on region_eligibilities as permissive for all to vedette_platform using (true) with check (true);
create policy shared on region_eligibilities as permissive for select to vedette_app using (true);
grant select on region_eligibilities to vedette_app;
grant delete, insert, select on region_eligibilities to vedette_platform;

create table region_gaps (
  id bigint generated always as identity not null,
  shard smallint not null,
  regions text[] not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint region_gaps_pkey PRIMARY KEY (id)
);
CREATE INDEX region_gaps_of ON public.region_gaps USING btree (shard, regions, started_at);
CREATE UNIQUE INDEX region_gaps_open ON public.region_gaps USING btree (shard, regions) WHERE (ended_at IS NULL);
alter table region_gaps enable row level security;
alter table region_gaps force row level security;
create policy platform on region_gaps as permissive for all to vedette_platform using (true) with check (true);
create policy shared on region_gaps as permissive for select to vedette_app using (true);
grant select on region_gaps to vedette_app;
grant delete, insert, select, update on region_gaps to vedette_platform;

create table regions (
  name character varying(40) not null,
  created_at timestamp with time zone default now() not null,
  retired_at timestamp with time zone,
  constraint regions_pkey PRIMARY KEY (name)
);
alter table regions enable row level security;
alter table regions force row level security;
create policy platform on regions as permissive for all to vedette_platform using (true) with check (true);
create policy shared on regions as permissive for select to vedette_app using (true);
grant select on regions to vedette_app;
grant delete, insert, select, update on regions to vedette_platform;

create table removed_monitors (
  id uuid not null,
  tenant_id uuid not null,
  name character varying(255) not null,
  url text not null,
  tags text[] not null,
  created_at timestamp with time zone not null,
  removed_at timestamp with time zone default clock_timestamp() not null,
  constraint removed_monitors_pkey PRIMARY KEY (id),
  constraint removed_monitors_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX removed_monitors_of_tenant ON public.removed_monitors USING btree (tenant_id, removed_at);
alter table removed_monitors enable row level security;
alter table removed_monitors force row level security;
create policy own_tenant on removed_monitors as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on removed_monitors as permissive for all to vedette_platform using (true) with check (true);
grant insert, select on removed_monitors to vedette_app;
grant delete, insert, select, update on removed_monitors to vedette_platform;

create table restore_marks (
  id uuid not null,
  made_at timestamp with time zone default clock_timestamp() not null,
  constraint restore_marks_pkey PRIMARY KEY (id)
);
alter table restore_marks enable row level security;
alter table restore_marks force row level security;
create policy platform on restore_marks as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select on restore_marks to vedette_platform;

create table scim_tokens (
  id uuid not null,
  tenant_id uuid not null,
  name character varying(255) not null,
  hash bytea not null,
  tail character varying(4) default ''::character varying not null,
  created_by uuid,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint scim_tokens_hash_key UNIQUE (hash),
  constraint scim_tokens_pkey PRIMARY KEY (id),
  constraint scim_tokens_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX scim_tokens_by_created ON public.scim_tokens USING btree (tenant_id, created_at, id);
alter table scim_tokens enable row level security;
alter table scim_tokens force row level security;
create policy own_tenant on scim_tokens as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on scim_tokens as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select on scim_tokens to vedette_app;
grant delete, insert, select, update on scim_tokens to vedette_platform;

create table scim_users (
  tenant_id uuid not null,
  user_id uuid not null,
  user_name citext,
  external_id character varying(255),
  display_name character varying(255),
  formatted_name character varying(255),
  given_name character varying(255),
  family_name character varying(255),
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint scim_users_pkey PRIMARY KEY (tenant_id, user_id),
  constraint scim_users_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint scim_users_tenant_id_user_name_key UNIQUE (tenant_id, user_name),
  constraint scim_users_user_id_tenant_id_fkey FOREIGN KEY (user_id, tenant_id) REFERENCES memberships(user_id, tenant_id) ON DELETE CASCADE
);
CREATE INDEX scim_users_by_external_id ON public.scim_users USING btree (tenant_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX scim_users_of_member ON public.scim_users USING btree (user_id, tenant_id);
alter table scim_users enable row level security;
alter table scim_users force row level security;
create policy own_tenant on scim_users as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on scim_users as permissive for all to vedette_platform using (true) with check (true);
grant insert, select, update (display_name, external_id, family_name, formatted_name, given_name, updated_at, user_name) on scim_users to vedette_app;
grant delete, insert, select, update on scim_users to vedette_platform;

create table second_factors (
  user_id uuid not null,
  secret text not null,
  last_step bigint default 0 not null,
  recovery_hashes bytea[] default '{}'::bytea[] not null,
  confirmed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint second_factors_pkey PRIMARY KEY (user_id),
  constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE TRIGGER second_factors_end_trusted_devices AFTER UPDATE ON public.second_factors FOR EACH ROW WHEN (((old.secret IS DISTINCT FROM new.secret) OR ((old.confirmed_at IS NULL) <> (new.confirmed_at IS NULL)))) EXECUTE FUNCTION end_trusted_devices('user_id');
CREATE TRIGGER second_factors_end_trusted_devices_too AFTER DELETE ON public.second_factors FOR EACH ROW EXECUTE FUNCTION end_trusted_devices('user_id');
CREATE TRIGGER second_factors_identity_change AFTER UPDATE ON public.second_factors FOR EACH ROW WHEN (((old.confirmed_at IS NULL) <> (new.confirmed_at IS NULL))) EXECUTE FUNCTION record_identity_change('user_id');
CREATE TRIGGER second_factors_identity_end AFTER DELETE ON public.second_factors FOR EACH ROW WHEN ((old.confirmed_at IS NOT NULL)) EXECUTE FUNCTION record_identity_change('user_id');
alter table second_factors enable row level security;
alter table second_factors force row level security;
create policy own on second_factors as permissive for all to vedette_app using ((user_id = ( SELECT current_user_id() AS current_user_id))) with check ((user_id = ( SELECT current_user_id() AS current_user_id)));
create policy platform on second_factors as permissive for all to vedette_platform using (true) with check (true);
create policy team_mates_delete on second_factors as permissive for delete to vedette_app using ((EXISTS ( SELECT 1
   FROM memberships m
  WHERE ((m.user_id = second_factors.user_id) AND (m.tenant_id = ( SELECT current_tenant() AS current_tenant))))));
create policy team_mates_select on second_factors as permissive for select to vedette_app using ((EXISTS ( SELECT 1
   FROM memberships m
  WHERE ((m.user_id = second_factors.user_id) AND (m.tenant_id = ( SELECT current_tenant() AS current_tenant))))));
grant delete, insert, select, update (confirmed_at, last_step, recovery_hashes, secret) on second_factors to vedette_app;
grant delete, insert, select, update on second_factors to vedette_platform;

create table security_policies (
  tenant_id uuid not null,
  mfa_required_at timestamp with time zone,
  mfa_grace_days integer default 7 not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint security_policies_mfa_grace_days_check CHECK (((mfa_grace_days >= 0) AND (mfa_grace_days <= 30))),
  constraint security_policies_pkey PRIMARY KEY (tenant_id),
  constraint security_policies_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE TRIGGER security_policies_identity_change AFTER INSERT OR DELETE OR UPDATE ON public.security_policies FOR EACH ROW EXECUTE FUNCTION record_identity_change('tenant_id');
alter table security_policies enable row level security;
alter table security_policies force row level security;
create policy own_tenant on security_policies as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on security_policies as permissive for all to vedette_platform using (true) with check (true);
grant insert, select, update (mfa_grace_days, mfa_required_at, updated_at) on security_policies to vedette_app;
grant delete, insert, select, update on security_policies to vedette_platform;

create table sent_months (
  tenant_id uuid not null,
  month character(7) not null,
  timezone character varying(64) not null,
  sent_at timestamp with time zone not null,
  formula_version integer not null,
  content jsonb not null,
  details jsonb,
  constraint sent_months_pkey PRIMARY KEY (tenant_id, month, timezone),
  constraint sent_months_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
alter table sent_months enable row level security;
alter table sent_months force row level security;
create policy own_tenant on sent_months as permissive for select to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on sent_months as permissive for all to vedette_platform using (true) with check (true);
grant select on sent_months to vedette_app;
grant delete, insert, select, update on sent_months to vedette_platform;

create table setup_links (
  is_only boolean default true not null,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint setup_links_is_only_check CHECK (is_only),
  constraint setup_links_pkey PRIMARY KEY (is_only)
);
alter table setup_links enable row level security;
alter table setup_links force row level security;
create policy platform on setup_links as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on setup_links to vedette_platform;

create table sign_ups (
  id uuid not null,
  tenant_id uuid not null,
  email character varying(255) not null,
  name character varying(255) not null,
  team_name character varying(255) not null,
  language character varying(5) not null,
  token_hash bytea not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone not null,
  constraint sign_ups_pkey PRIMARY KEY (id),
  constraint sign_ups_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint sign_ups_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX sign_ups_ended ON public.sign_ups USING btree (expires_at);
CREATE INDEX sign_ups_of_reseller ON public.sign_ups USING btree (tenant_id, email);
alter table sign_ups enable row level security;
alter table sign_ups force row level security;
create policy platform on sign_ups as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on sign_ups to vedette_platform;

create table slo_spans (
  monitor_id uuid not null,
  tenant_id uuid not null,
  since timestamp with time zone not null,
  ended_at timestamp with time zone,
  slo jsonb not null,
  constraint slo_spans_pkey PRIMARY KEY (monitor_id, since),
  constraint slo_spans_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX slo_spans_of_tenant ON public.slo_spans USING btree (tenant_id);
CREATE UNIQUE INDEX slo_spans_open ON public.slo_spans USING btree (monitor_id) WHERE (ended_at IS NULL);
alter table slo_spans enable row level security;
alter table slo_spans force row level security;
create policy own_tenant on slo_spans as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on slo_spans as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on slo_spans as permissive for all to vedette_owner using (true) with check (true);
grant insert, select, update (ended_at) on slo_spans to vedette_app;
grant delete, insert, select, update on slo_spans to vedette_platform;

create table slo_states (
  monitor_id uuid not null,
  tenant_id uuid not null,
  state character varying(10) default 'unknown'::character varying not null,
  examine_at timestamp with time zone default clock_timestamp() not null,
  constraint slo_states_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint slo_states_pkey PRIMARY KEY (monitor_id),
  constraint slo_states_state_check CHECK (((state)::text = ANY ((ARRAY['unknown'::character varying, 'kept'::character varying, 'burning'::character varying, 'exhausted'::character varying])::text[]))),
  constraint slo_states_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX slo_states_due ON public.slo_states USING btree (examine_at);
CREATE INDEX slo_states_of_tenant ON public.slo_states USING btree (tenant_id);
alter table slo_states enable row level security;
alter table slo_states force row level security;
create policy own_tenant on slo_states as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on slo_states as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (examine_at, state) on slo_states to vedette_app;
grant delete, insert, select, update on slo_states to vedette_platform;

create table smtp_configs (
  tenant_id uuid not null,
  host character varying(255) not null,
  port integer not null,
  encryption character varying(3) not null,
  username character varying(255),
  password text,
  from_address character varying(254),
  from_name character varying(100),
  failing_since timestamp with time zone,
  failure character varying(20),
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint smtp_configs_pkey PRIMARY KEY (tenant_id),
  constraint smtp_configs_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE TRIGGER smtp_configs_change AFTER INSERT OR DELETE OR UPDATE ON public.smtp_configs FOR EACH ROW EXECUTE FUNCTION alerting_changed('{failing_since,failure,updated_at}');
alter table smtp_configs enable row level security;
alter table smtp_configs force row level security;
create policy own_tenant on smtp_configs as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on smtp_configs as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (encryption, failing_since, failure, from_address, from_name, host, password, port, updated_at, username) on smtp_configs to vedette_app;
grant delete, insert, select, update on smtp_configs to vedette_platform;

create table sso_attempts (
  id uuid not null,
  tenant_id uuid not null,
  user_id uuid,
  outcome character varying(40) not null,
  detail character varying(500),
  request_id character varying(64),
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint sso_attempts_pkey PRIMARY KEY (id),
  constraint sso_attempts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint sso_attempts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX sso_attempts_by_created ON public.sso_attempts USING btree (tenant_id, created_at, id);
CREATE INDEX sso_attempts_of_user ON public.sso_attempts USING btree (user_id) WHERE (user_id IS NOT NULL);
alter table sso_attempts enable row level security;
alter table sso_attempts force row level security;
create policy own_tenant on sso_attempts as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on sso_attempts as permissive for all to vedette_platform using (true) with check (true);
grant select on sso_attempts to vedette_app;
grant delete, insert, select, update on sso_attempts to vedette_platform;

create table sso_configs (
  tenant_id uuid not null,
  protocol character varying(4) default 'oidc'::character varying not null,
  issuer character varying(1000) not null,
  client_id character varying(255) not null,
  client_secret text,
  scopes text[] default '{openid,email,profile}'::text[] not null,
  groups_claim character varying(100),
  role_map jsonb default '{}'::jsonb not null,
  default_role character varying(20) default 'member'::character varying not null,
  is_jit boolean default true not null,
  is_enabled boolean default false not null,
  is_enforced boolean default false not null,
  break_glass_user_id uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  sign_in_url character varying(1000),
  certificates text[] default '{}'::text[] not null,
  email_attribute character varying(255),
  constraint sso_configs_break_glass_user_id_tenant_id_fkey FOREIGN KEY (break_glass_user_id, tenant_id) REFERENCES memberships(user_id, tenant_id) ON DELETE SET NULL (break_glass_user_id),
  constraint sso_configs_default_role_check CHECK (((default_role)::text = ANY ((ARRAY['admin'::character varying, 'member'::character varying, 'viewer'::character varying])::text[]))),
  constraint sso_configs_pkey PRIMARY KEY (tenant_id),
  constraint sso_configs_protocol_check CHECK (((protocol)::text = ANY ((ARRAY['oidc'::character varying, 'saml'::character varying])::text[]))),
  constraint sso_configs_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX sso_configs_of_break_glass ON public.sso_configs USING btree (break_glass_user_id, tenant_id) WHERE (break_glass_user_id IS NOT NULL);
CREATE TRIGGER sso_configs_notify_pages AFTER INSERT OR DELETE OR UPDATE ON public.sso_configs FOR EACH ROW EXECUTE FUNCTION notify_pages_by_sso();
alter table sso_configs enable row level security;
alter table sso_configs force row level security;
create policy own_tenant on sso_configs as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on sso_configs as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (break_glass_user_id, certificates, client_id, client_secret, default_role, email_attribute, groups_claim, is_enabled, is_enforced, is_jit, issuer, protocol, role_map, scopes, sign_in_url, updated_at) on sso_configs to vedette_app;
grant delete, insert, select, update on sso_configs to vedette_platform;

create table sso_domains (
  id uuid not null,
  tenant_id uuid not null,
  domain character varying(240) not null,
  txt_token character varying(43) not null,
  attempts integer default 0 not null,
  last_error character varying(20),
  verified_at timestamp with time zone,
  restarted_at timestamp with time zone default clock_timestamp() not null,
  last_checked_at timestamp with time zone,
  next_check_at timestamp with time zone default clock_timestamp(),
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint sso_domains_pkey PRIMARY KEY (id),
  constraint sso_domains_tenant_id_domain_key UNIQUE (tenant_id, domain),
  constraint sso_domains_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX sso_domains_by_created ON public.sso_domains USING btree (tenant_id, created_at, id);
CREATE INDEX sso_domains_due ON public.sso_domains USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE UNIQUE INDEX sso_domains_verified ON public.sso_domains USING btree (domain) WHERE (verified_at IS NOT NULL);
CREATE TRIGGER sso_domains_notify_pages AFTER UPDATE ON public.sso_domains FOR EACH ROW WHEN (((old.verified_at IS NULL) IS DISTINCT FROM (new.verified_at IS NULL))) EXECUTE FUNCTION notify_pages_by_sso();
CREATE TRIGGER sso_domains_notify_pages_added AFTER INSERT OR DELETE ON public.sso_domains FOR EACH ROW EXECUTE FUNCTION notify_pages_by_sso();
alter table sso_domains enable row level security;
alter table sso_domains force row level security;
create policy own_tenant on sso_domains as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on sso_domains as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select on sso_domains to vedette_app;
grant delete, insert, select, update on sso_domains to vedette_platform;

create table sso_identities (
  tenant_id uuid not null,
  issuer character varying(1000) not null,
  subject character varying(255) not null,
  user_id uuid not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  last_login_at timestamp with time zone default clock_timestamp() not null,
  constraint sso_identities_pkey PRIMARY KEY (tenant_id, issuer, subject),
  constraint sso_identities_user_id_tenant_id_fkey FOREIGN KEY (user_id, tenant_id) REFERENCES memberships(user_id, tenant_id) ON DELETE CASCADE
);
CREATE INDEX sso_identities_of_member ON public.sso_identities USING btree (user_id, tenant_id);
alter table sso_identities enable row level security;
alter table sso_identities force row level security;
create policy own_tenant on sso_identities as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on sso_identities as permissive for all to vedette_platform using (true) with check (true);
grant delete, select on sso_identities to vedette_app;
grant delete, insert, select, update on sso_identities to vedette_platform;

create table sso_logins (
  state_hash bytea not null,
  browser_hash bytea not null,
  tenant_id uuid not null,
  issuer character varying(1000) not null,
  expires_at timestamp with time zone not null,
  answer jsonb,
  status_page_id uuid,
  return_to character varying(500),
  admitted_at timestamp with time zone,
  constraint sso_logins_check CHECK (((status_page_id IS NULL) = (return_to IS NULL))),
  constraint sso_logins_check1 CHECK (((admitted_at IS NULL) OR (status_page_id IS NOT NULL))),
  constraint sso_logins_pkey PRIMARY KEY (state_hash),
  constraint sso_logins_status_page_id_fkey FOREIGN KEY (status_page_id) REFERENCES status_pages(id) ON DELETE CASCADE,
  constraint sso_logins_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX sso_logins_by_end ON public.sso_logins USING btree (expires_at);
CREATE INDEX sso_logins_of_page ON public.sso_logins USING btree (status_page_id) WHERE (status_page_id IS NOT NULL);
CREATE INDEX sso_logins_of_tenant ON public.sso_logins USING btree (tenant_id);
alter table sso_logins enable row level security;
alter table sso_logins force row level security;
create policy platform on sso_logins as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on sso_logins to vedette_platform;

create table sso_logout_tokens (
  tenant_id uuid not null,
  jti_hash bytea not null,
  expires_at timestamp with time zone default clock_timestamp() not null,
  constraint sso_logout_tokens_pkey PRIMARY KEY (tenant_id, jti_hash),
  constraint sso_logout_tokens_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX sso_logout_tokens_by_end ON public.sso_logout_tokens USING btree (expires_at);
alter table sso_logout_tokens enable row level security;
alter table sso_logout_tokens force row level security;
create policy platform on sso_logout_tokens as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on sso_logout_tokens to vedette_platform;

create table status_page_components (
  id uuid not null,
  tenant_id uuid not null,
  page_id uuid not null,
  group_id uuid,
  type character varying(10) default 'monitor'::character varying not null,
  monitor_id uuid,
  monitor_group character varying(100),
  name character varying(255) not null,
  description text default ''::text not null,
  position integer not null,
  show_history boolean default true not null,
  status_when_down character varying(20) default 'major_outage'::character varying not null,
  static_status character varying(20),
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint status_page_components_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint status_page_components_page_id_group_id_fkey FOREIGN KEY (page_id, group_id) REFERENCES status_page_groups(page_id, id) ON DELETE SET NULL (group_id),
  constraint status_page_components_page_id_id_key UNIQUE (page_id, id),
  constraint status_page_components_pkey PRIMARY KEY (id),
  constraint status_page_components_static_status_check CHECK (((static_status)::text = ANY ((ARRAY['operational'::character varying, 'degraded_performance'::character varying, 'partial_outage'::character varying, 'major_outage'::character varying, 'maintenance'::character varying])::text[]))),
  constraint status_page_components_status_when_down_check CHECK (((status_when_down)::text = ANY ((ARRAY['degraded_performance'::character varying, 'partial_outage'::character varying, 'major_outage'::character varying])::text[]))),
  constraint status_page_components_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint status_page_components_tenant_id_page_id_fkey FOREIGN KEY (tenant_id, page_id) REFERENCES status_pages(tenant_id, id) ON DELETE CASCADE,
  constraint status_page_components_type_check CHECK (((type)::text = ANY ((ARRAY['monitor'::character varying, 'group'::character varying, 'static'::character varying])::text[])))
);
CREATE INDEX status_page_components_of_group ON public.status_page_components USING btree (group_id) WHERE (group_id IS NOT NULL);
CREATE INDEX status_page_components_of_monitor ON public.status_page_components USING btree (monitor_id) WHERE (monitor_id IS NOT NULL);
CREATE INDEX status_page_components_of_tenant ON public.status_page_components USING btree (tenant_id);
CREATE TRIGGER status_page_components_deleted AFTER DELETE ON public.status_page_components FOR EACH ROW EXECUTE FUNCTION notify_status_page_components();
alter table status_page_components enable row level security;
alter table status_page_components force row level security;
create policy own_tenant on status_page_components as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on status_page_components as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (description, group_id, monitor_group, monitor_id, name, position, show_history, static_status, status_when_down, type, updated_at) on status_page_components to vedette_app;
grant delete, insert, select, update on status_page_components to vedette_platform;

create table status_page_former_slugs (
  slug character varying(63) not null,
  tenant_id uuid not null,
  page_id uuid,
  reserved_until timestamp with time zone not null,
  constraint status_page_former_slugs_page_id_fkey FOREIGN KEY (page_id) REFERENCES status_pages(id) ON DELETE SET NULL,
  constraint status_page_former_slugs_pkey PRIMARY KEY (slug),
  constraint status_page_former_slugs_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX status_page_former_slugs_page ON public.status_page_former_slugs USING btree (page_id);
CREATE INDEX status_page_former_slugs_tenant ON public.status_page_former_slugs USING btree (tenant_id, reserved_until DESC);
alter table status_page_former_slugs enable row level security;
alter table status_page_former_slugs force row level security;
create policy platform on status_page_former_slugs as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on status_page_former_slugs as permissive for all to vedette_owner using (true) with check (true);
grant delete, insert, select, update on status_page_former_slugs to vedette_platform;

create table status_page_groups (
  id uuid not null,
  tenant_id uuid not null,
  page_id uuid not null,
  name character varying(255) not null,
  position integer not null,
  is_open boolean default false not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint status_page_groups_page_id_id_key UNIQUE (page_id, id),
  constraint status_page_groups_pkey PRIMARY KEY (id),
  constraint status_page_groups_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint status_page_groups_tenant_id_page_id_fkey FOREIGN KEY (tenant_id, page_id) REFERENCES status_pages(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX status_page_groups_of_tenant ON public.status_page_groups USING btree (tenant_id);
alter table status_page_groups enable row level security;
alter table status_page_groups force row level security;
create policy own_tenant on status_page_groups as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on status_page_groups as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (is_open, name, position, updated_at) on status_page_groups to vedette_app;
grant delete, insert, select, update on status_page_groups to vedette_platform;

create table status_page_post_components (
  post_id uuid not null,
  component_id uuid not null,
  page_id uuid not null,
  tenant_id uuid not null,
  status character varying(20) default 'major_outage'::character varying not null,
  follows boolean default false not null,
  name character varying(255),
  constraint status_page_post_components_page_id_post_id_fkey FOREIGN KEY (page_id, post_id) REFERENCES status_page_posts(page_id, id) ON DELETE CASCADE,
  constraint status_page_post_components_pkey PRIMARY KEY (post_id, component_id),
  constraint status_page_post_components_status_check CHECK (((status)::text = ANY ((ARRAY['operational'::character varying, 'degraded_performance'::character varying, 'partial_outage'::character varying, 'major_outage'::character varying, 'maintenance'::character varying])::text[]))),
  constraint status_page_post_components_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX status_page_post_components_of_component ON public.status_page_post_components USING btree (component_id);
CREATE INDEX status_page_post_components_of_tenant ON public.status_page_post_components USING btree (tenant_id);
alter table status_page_post_components enable row level security;
alter table status_page_post_components force row level security;
create policy own_tenant on status_page_post_components as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on status_page_post_components as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select on status_page_post_components to vedette_app;
grant delete, insert, select, update on status_page_post_components to vedette_platform;

create table status_page_posts (
  id uuid not null,
  tenant_id uuid not null,
  page_id uuid not null,
  incident_id uuid,
  title character varying(255) not null,
  impact character varying(10) default 'minor'::character varying not null,
  phase character varying(15) default 'investigating'::character varying not null,
  counts_as_downtime boolean default false not null,
  started_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  postmortem text,
  postmortem_published_at timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  incident_over_at timestamp with time zone,
  constraint status_page_posts_impact_check CHECK (((impact)::text = ANY ((ARRAY['none'::character varying, 'minor'::character varying, 'major'::character varying, 'critical'::character varying])::text[]))),
  constraint status_page_posts_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES incidents(id) ON DELETE SET NULL,
  constraint status_page_posts_page_id_id_key UNIQUE (page_id, id),
  constraint status_page_posts_phase_check CHECK (((phase)::text = ANY ((ARRAY['investigating'::character varying, 'identified'::character varying, 'monitoring'::character varying, 'resolved'::character varying])::text[]))),
  constraint status_page_posts_pkey PRIMARY KEY (id),
  constraint status_page_posts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint status_page_posts_tenant_id_id_key UNIQUE (tenant_id, id),
  constraint status_page_posts_tenant_id_page_id_fkey FOREIGN KEY (tenant_id, page_id) REFERENCES status_pages(tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX status_page_posts_of_incident ON public.status_page_posts USING btree (incident_id, page_id) WHERE (incident_id IS NOT NULL);
CREATE INDEX status_page_posts_of_page ON public.status_page_posts USING btree (page_id, started_at DESC, id DESC);
CREATE INDEX status_page_posts_open ON public.status_page_posts USING btree (page_id) WHERE ((phase)::text <> 'resolved'::text);
CREATE INDEX status_page_posts_to_follow ON public.status_page_posts USING btree (incident_id) WHERE (((phase)::text <> 'resolved'::text) AND (incident_id IS NOT NULL) AND (incident_over_at IS NULL));
alter table status_page_posts enable row level security;
alter table status_page_posts force row level security;
create policy own_tenant on status_page_posts as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on status_page_posts as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (counts_as_downtime, impact, phase, postmortem, postmortem_published_at, resolved_at, started_at, title, updated_at) on status_page_posts to vedette_app;
grant delete, insert, select, update on status_page_posts to vedette_platform;

create table status_page_subscribers (
  id uuid not null,
  tenant_id uuid not null,
  page_id uuid not null,
  channel character varying(10) default 'email'::character varying not null,
  address text not null,
  address_hash bytea not null,
  host_key character varying(64) default ''::character varying not null,
  component_ids uuid[] default '{}'::uuid[] not null,
  locale character varying(5) default 'en'::character varying not null,
  state character varying(12) default 'pending'::character varying not null,
  source character varying(10) default 'self'::character varying not null,
  token_hash bytea,
  asked_at timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  confirmed_at timestamp with time zone,
  unsubscribed_at timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  admitted_as_of timestamp with time zone default clock_timestamp() not null,
  constraint status_page_subscribers_channel_check CHECK (((channel)::text = ANY ((ARRAY['email'::character varying, 'webhook'::character varying, 'slack'::character varying])::text[]))),
  constraint status_page_subscribers_locale_check CHECK (((locale)::text ~ '^[a-z]{2}$'::text)),
  constraint status_page_subscribers_page_id_channel_address_hash_key UNIQUE (page_id, channel, address_hash),
  constraint status_page_subscribers_pkey PRIMARY KEY (id),
  constraint status_page_subscribers_source_check CHECK (((source)::text = ANY ((ARRAY['self'::character varying, 'admin'::character varying, 'import'::character varying])::text[]))),
  constraint status_page_subscribers_state_check CHECK (((state)::text = ANY ((ARRAY['pending'::character varying, 'active'::character varying, 'unsubscribed'::character varying])::text[]))),
  constraint status_page_subscribers_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint status_page_subscribers_tenant_id_id_key UNIQUE (tenant_id, id),
  constraint status_page_subscribers_tenant_id_page_id_fkey FOREIGN KEY (tenant_id, page_id) REFERENCES status_pages(tenant_id, id) ON DELETE CASCADE,
  constraint status_page_subscribers_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX status_page_subscribers_active ON public.status_page_subscribers USING btree (page_id, id) WHERE ((state)::text = 'active'::text);
CREATE INDEX status_page_subscribers_by_created ON public.status_page_subscribers USING btree (tenant_id, page_id, created_at, id);
CREATE INDEX status_page_subscribers_of_address ON public.status_page_subscribers USING btree (address_hash);
CREATE INDEX status_page_subscribers_pending ON public.status_page_subscribers USING btree (created_at) WHERE ((state)::text = 'pending'::text);
alter table status_page_subscribers enable row level security;
alter table status_page_subscribers force row level security;
create policy own_tenant on status_page_subscribers as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on status_page_subscribers as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (asked_at, updated_at) on status_page_subscribers to vedette_app;
grant delete, insert, select, update on status_page_subscribers to vedette_platform;

create table status_page_update_templates (
  id uuid not null,
  tenant_id uuid not null,
  name character varying(255) not null,
  phase character varying(15) default 'investigating'::character varying not null,
  title character varying(255),
  body text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint status_page_update_templates_phase_check CHECK (((phase)::text = ANY ((ARRAY['investigating'::character varying, 'identified'::character varying, 'monitoring'::character varying, 'resolved'::character varying])::text[]))),
  constraint status_page_update_templates_pkey PRIMARY KEY (id),
  constraint status_page_update_templates_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX status_page_update_templates_of_tenant ON public.status_page_update_templates USING btree (tenant_id, created_at, id);
alter table status_page_update_templates enable row level security;
alter table status_page_update_templates force row level security;
create policy own_tenant on status_page_update_templates as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on status_page_update_templates as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (body, name, phase, title, updated_at) on status_page_update_templates to vedette_app;
grant delete, insert, select, update on status_page_update_templates to vedette_platform;

create table status_page_updates (
  id uuid not null,
  tenant_id uuid not null,
  post_id uuid,
  phase character varying(15) default 'investigating'::character varying not null,
  body text not null,
  at timestamp with time zone default clock_timestamp() not null,
  created_by uuid,
  notify_subscribers boolean default false not null,
  queued_at timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  page_id uuid,
  window_id uuid,
  title character varying(255),
  component_ids uuid[] default '{}'::uuid[] not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  constraint status_page_updates_check CHECK (((post_id IS NOT NULL) OR (page_id IS NOT NULL))),
  constraint status_page_updates_phase_check CHECK (((phase)::text = ANY ((ARRAY['investigating'::character varying, 'identified'::character varying, 'monitoring'::character varying, 'resolved'::character varying, 'scheduled'::character varying, 'in_progress'::character varying, 'completed'::character varying])::text[]))),
  constraint status_page_updates_pkey PRIMARY KEY (id),
  constraint status_page_updates_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint status_page_updates_tenant_id_page_id_fkey FOREIGN KEY (tenant_id, page_id) REFERENCES status_pages(tenant_id, id) ON DELETE CASCADE,
  constraint status_page_updates_tenant_id_post_id_fkey FOREIGN KEY (tenant_id, post_id) REFERENCES status_page_posts(tenant_id, id) ON DELETE CASCADE,
  constraint status_page_updates_window_id_fkey FOREIGN KEY (window_id) REFERENCES maintenance_windows(id) ON DELETE SET NULL
);
CREATE INDEX status_page_updates_of_page ON public.status_page_updates USING btree (page_id) WHERE (page_id IS NOT NULL);
CREATE INDEX status_page_updates_of_post ON public.status_page_updates USING btree (post_id, at, id);
CREATE INDEX status_page_updates_of_tenant ON public.status_page_updates USING btree (tenant_id);
CREATE INDEX status_page_updates_of_window ON public.status_page_updates USING btree (window_id) WHERE (window_id IS NOT NULL);
CREATE INDEX status_page_updates_to_queue ON public.status_page_updates USING btree (created_at, id) WHERE (notify_subscribers AND (queued_at IS NULL));
CREATE TRIGGER status_page_updates_added AFTER INSERT ON public.status_page_updates FOR EACH ROW WHEN ((new.notify_subscribers AND (new.queued_at IS NULL))) EXECUTE FUNCTION notify_status_page_updates();
alter table status_page_updates enable row level security;
alter table status_page_updates force row level security;
create policy own_tenant on status_page_updates as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on status_page_updates as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (body, updated_at) on status_page_updates to vedette_app;
grant delete, insert, select, update on status_page_updates to vedette_platform;

create table status_pages (
  id uuid not null,
  tenant_id uuid not null,
  name character varying(255) not null,
  slug character varying(63) not null,
  description text default ''::text not null,
  state character varying(10) default 'draft'::character varying not null,
  access character varying(15) default 'public'::character varying not null,
  password_hash text,
  password_changed_at timestamp with time zone,
  allowed_email_domains text[] default '{}'::text[] not null,
  allowed_ips text[] default '{}'::text[] not null,
  locale character varying(5) default 'en'::character varying not null,
  locales text[] default '{en}'::text[] not null,
  timezone character varying(64) default 'UTC'::character varying not null,
  history_days integer default 90 not null,
  show_uptime boolean default true not null,
  show_response boolean default false not null,
  show_values boolean default true not null,
  uptime_mode character varying(10) default 'duration'::character varying not null,
  min_incident_minutes integer default 0 not null,
  noindex boolean default false not null,
  hide_powered_by boolean,
  primary_color character varying(7),
  logo_url character varying(500),
  logo_url_dark character varying(500),
  theme character varying(5) default 'auto'::character varying not null,
  header_links jsonb default '[]'::jsonb not null,
  footer_links jsonb default '[]'::jsonb not null,
  texts jsonb default '{}'::jsonb not null,
  content_changed_at timestamp with time zone default clock_timestamp() not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  access_changed_at timestamp with time zone default clock_timestamp() not null,
  constraint status_pages_access_check CHECK (((access)::text = ANY ((ARRAY['public'::character varying, 'password'::character varying, 'email_domain'::character varying, 'ip'::character varying, 'sso'::character varying])::text[]))),
  constraint status_pages_history_days_check CHECK (((history_days >= 7) AND (history_days <= 365))),
  constraint status_pages_locale_check CHECK (((locale)::text ~ '^[a-z]{2}$'::text)),
  constraint status_pages_min_incident_minutes_check CHECK (((min_incident_minutes >= 0) AND (min_incident_minutes <= 1440))),
  constraint status_pages_pkey PRIMARY KEY (id),
  constraint status_pages_slug_key UNIQUE (slug),
  constraint status_pages_state_check CHECK (((state)::text = ANY ((ARRAY['draft'::character varying, 'published'::character varying])::text[]))),
  constraint status_pages_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint status_pages_tenant_id_id_key UNIQUE (tenant_id, id),
  constraint status_pages_theme_check CHECK (((theme)::text = ANY ((ARRAY['auto'::character varying, 'light'::character varying, 'dark'::character varying])::text[]))),
  constraint status_pages_uptime_mode_check CHECK (((uptime_mode)::text = ANY ((ARRAY['duration'::character varying, 'requests'::character varying, 'manual'::character varying])::text[])))
);
CREATE INDEX status_pages_by_created ON public.status_pages USING btree (tenant_id, created_at, id);
CREATE TRIGGER status_pages_notify AFTER INSERT OR DELETE OR UPDATE ON public.status_pages FOR EACH ROW EXECUTE FUNCTION notify_status_pages();
CREATE TRIGGER status_pages_reserve_changed_slug BEFORE UPDATE ON public.status_pages FOR EACH ROW WHEN (((old.slug)::text <> (new.slug)::text)) EXECUTE FUNCTION reserve_slug();
CREATE TRIGGER status_pages_reserve_slug BEFORE INSERT OR DELETE ON public.status_pages FOR EACH ROW EXECUTE FUNCTION reserve_slug();
alter table status_pages enable row level security;
alter table status_pages force row level security;
create policy own_tenant on status_pages as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on status_pages as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (access, access_changed_at, allowed_email_domains, allowed_ips, content_changed_at, description, footer_links, header_links, hide_powered_by, history_days, locale, locales, logo_url, logo_url_dark, min_incident_minutes, name, noindex, password_changed_at, password_hash, primary_color, show_response, show_uptime, show_values, slug, state, texts, theme, timezone, updated_at, uptime_mode) on status_pages to vedette_app;
grant delete, insert, select, update on status_pages to vedette_platform;

create table storms (
  id uuid not null,
  tenant_id uuid not null,
  started_at timestamp with time zone not null,
  grown_at timestamp with time zone not null,
  monitors_total integer not null,
  notified_at timestamp with time zone,
  notified_monitors integer default 0 not null,
  resolved_at timestamp with time zone,
  constraint storms_pkey PRIMARY KEY (id),
  constraint storms_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX storms_one_now ON public.storms USING btree (tenant_id) WHERE (resolved_at IS NULL);
CREATE INDEX storms_tenant ON public.storms USING btree (tenant_id, started_at DESC);
alter table storms enable row level security;
alter table storms force row level security;
create policy own_tenant on storms as permissive for select to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on storms as permissive for all to vedette_platform using (true) with check (true);
grant select on storms to vedette_app;
grant delete, insert, select, update on storms to vedette_platform;

create table stream_events (
  id bigint not null,
  tenant_id uuid,
  name character varying(60) default ''::character varying not null,
  payload jsonb default '{}'::jsonb not null,
  at timestamp with time zone default clock_timestamp() not null,
  xid xid8 default pg_current_xact_id() not null,
  snapshot pg_snapshot default pg_current_snapshot() not null,
  made_at timestamp with time zone default clock_timestamp() not null,
  constraint stream_events_pkey PRIMARY KEY (id),
  constraint stream_events_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX stream_events_by_tenant ON public.stream_events USING btree (tenant_id, id);
CREATE INDEX stream_events_by_xid ON public.stream_events USING btree (xid);
alter table stream_events enable row level security;
alter table stream_events force row level security;
create policy platform on stream_events as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on stream_events as permissive for all to vedette_owner using (true) with check (true);
grant delete, select on stream_events to vedette_platform;

create table subscriber_mailings (
  update_id uuid not null,
  tenant_id uuid not null,
  after_id uuid,
  finished_at timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint subscriber_mailings_pkey PRIMARY KEY (update_id),
  constraint subscriber_mailings_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint subscriber_mailings_update_id_fkey FOREIGN KEY (update_id) REFERENCES status_page_updates(id) ON DELETE CASCADE
);
CREATE INDEX subscriber_mailings_of_tenant ON public.subscriber_mailings USING btree (tenant_id);
CREATE INDEX subscriber_mailings_unfinished ON public.subscriber_mailings USING btree (created_at) WHERE (finished_at IS NULL);
alter table subscriber_mailings enable row level security;
alter table subscriber_mailings force row level security;
create policy platform on subscriber_mailings as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on subscriber_mailings to vedette_platform;

create table subscriber_messages (
  id bigint generated always as identity not null,
  tenant_id uuid not null,
  subscriber_id uuid not null,
  update_id uuid,
  queue character varying(4) default 'mail'::character varying not null,
  queue_key character varying(64) default ''::character varying not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone default clock_timestamp() not null,
  done_at timestamp with time zone,
  outcome character varying(20),
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint subscriber_messages_pkey PRIMARY KEY (id),
  constraint subscriber_messages_queue_check CHECK (((queue)::text = ANY ((ARRAY['mail'::character varying, 'http'::character varying])::text[]))),
  constraint subscriber_messages_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint subscriber_messages_tenant_id_subscriber_id_fkey FOREIGN KEY (tenant_id, subscriber_id) REFERENCES status_page_subscribers(tenant_id, id) ON DELETE CASCADE,
  constraint subscriber_messages_update_id_fkey FOREIGN KEY (update_id) REFERENCES status_page_updates(id) ON DELETE CASCADE
);
CREATE INDEX subscriber_messages_done ON public.subscriber_messages USING btree (done_at) WHERE (done_at IS NOT NULL);
CREATE INDEX subscriber_messages_due ON public.subscriber_messages USING btree (queue, queue_key, next_at, id) WHERE (done_at IS NULL);
CREATE INDEX subscriber_messages_of_subscriber ON public.subscriber_messages USING btree (subscriber_id);
CREATE INDEX subscriber_messages_of_tenant ON public.subscriber_messages USING btree (tenant_id);
CREATE UNIQUE INDEX subscriber_messages_once ON public.subscriber_messages USING btree (update_id, subscriber_id);
CREATE TRIGGER subscriber_messages_added AFTER INSERT ON public.subscriber_messages FOR EACH STATEMENT EXECUTE FUNCTION notify_subscriber_messages();
alter table subscriber_messages enable row level security;
alter table subscriber_messages force row level security;
create policy own_tenant on subscriber_messages as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on subscriber_messages as permissive for all to vedette_platform using (true) with check (true);
grant insert, select on subscriber_messages to vedette_app;
grant delete, insert, select, update on subscriber_messages to vedette_platform;

create table subscriptions (
  tenant_id uuid not null,
  provider character varying(10) default 'manual'::character varying not null,
  customer_ref character varying(255),
  subscription_ref character varying(255),
  subscription_created_at timestamp with time zone,
  schedule_ref character varying(255),
  collection character varying(10) default 'none'::character varying not null,
  status character varying(10) default 'none'::character varying not null,
  plan character varying(20) default 'free'::character varying not null,
  plan_in_force character varying(20) default 'free'::character varying not null,
  interval character varying(5),
  currency character varying(3),
  seats integer default 1 not null,
  current_period_start timestamp with time zone,
  current_period_end timestamp with time zone,
  pending_plan character varying(20),
  pending_interval character varying(5),
  pending_at timestamp with time zone,
  past_due_since timestamp with time zone,
  grace_ends_at timestamp with time zone,
  grace_reminded_at timestamp with time zone,
  invoiced_from timestamp with time zone,
  payer jsonb default '{}'::jsonb not null,
  seen_at timestamp with time zone,
  revision integer default 0 not null,
  next_due_at timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  updated_at timestamp with time zone default clock_timestamp() not null,
  constraint subscriptions_collection_check CHECK (((collection)::text = ANY ((ARRAY['none'::character varying, 'trialing'::character varying, 'active'::character varying, 'past_due'::character varying, 'unpaid'::character varying, 'canceled'::character varying])::text[]))),
  constraint subscriptions_interval_check CHECK ((("interval")::text = ANY ((ARRAY['month'::character varying, 'year'::character varying])::text[]))),
  constraint subscriptions_pending_interval_check CHECK (((pending_interval)::text = ANY ((ARRAY['month'::character varying, 'year'::character varying])::text[]))),
  constraint subscriptions_pending_plan_check CHECK (((pending_plan)::text = ANY ((ARRAY['free'::character varying, 'hobby'::character varying, 'starter'::character varying, 'pro'::character varying])::text[]))),
  constraint subscriptions_pkey PRIMARY KEY (tenant_id),
  constraint subscriptions_plan_check CHECK (((plan)::text = ANY ((ARRAY['free'::character varying, 'hobby'::character varying, 'starter'::character varying, 'pro'::character varying])::text[]))),
  constraint subscriptions_plan_in_force_check CHECK (((plan_in_force)::text = ANY ((ARRAY['free'::character varying, 'hobby'::character varying, 'starter'::character varying, 'pro'::character varying])::text[]))),
  constraint subscriptions_provider_check CHECK (((provider)::text = ANY ((ARRAY['manual'::character varying, 'stripe'::character varying])::text[]))),
  constraint subscriptions_seats_check CHECK ((seats >= 1)),
  constraint subscriptions_status_check CHECK (((status)::text = ANY ((ARRAY['none'::character varying, 'trialing'::character varying, 'active'::character varying, 'past_due'::character varying, 'grace'::character varying, 'canceled'::character varying])::text[]))),
  constraint subscriptions_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX subscriptions_of_customer ON public.subscriptions USING btree (customer_ref) WHERE (customer_ref IS NOT NULL);
alter table subscriptions enable row level security;
alter table subscriptions force row level security;
create policy own_tenant on subscriptions as permissive for select to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on subscriptions as permissive for all to vedette_platform using (true) with check (true);
grant select on subscriptions to vedette_app;
grant delete, insert, select, update on subscriptions to vedette_platform;

create table tenant_counts (
  tenant_id uuid not null,
  reseller_id uuid,
  monitors integer default 0 not null,
  monitors_up integer default 0 not null,
  monitors_down integer default 0 not null,
  open_incidents integer default 0 not null,
  members integer default 0 not null,
  constraint tenant_counts_pkey PRIMARY KEY (tenant_id),
  constraint tenant_counts_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
) with (fillfactor=70);
CREATE INDEX tenant_counts_by_monitors ON public.tenant_counts USING btree (reseller_id, monitors, tenant_id) INCLUDE (open_incidents);
alter table tenant_counts enable row level security;
alter table tenant_counts force row level security;
create policy own_counts on tenant_counts as permissive for select to vedette_app using (((tenant_id = ( SELECT current_tenant() AS current_tenant)) OR (reseller_id = ( SELECT current_reseller() AS current_reseller))));
create policy platform on tenant_counts as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on tenant_counts as permissive for all to vedette_owner using (true) with check (true);
grant select on tenant_counts to vedette_app;
grant delete, insert, select, update on tenant_counts to vedette_platform;

create table tenants (
  id uuid not null,
  name character varying(255) not null,
  slug character varying(100) not null,
  plan character varying(20) default 'free'::character varying not null,
  feature_overrides jsonb default '{}'::jsonb not null,
  is_reseller boolean default false not null,
  paused_at timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  webhook_secret text,
  suspended_at timestamp with time zone,
  suspended_reason character varying(255),
  paused_before_suspension timestamp with time zone,
  constraint tenants_pkey PRIMARY KEY (id),
  constraint tenants_slug_key UNIQUE (slug)
);
CREATE INDEX tenants_resting ON public.tenants USING btree (id) WHERE ((paused_at IS NOT NULL) OR (deleted_at IS NOT NULL));
CREATE TRIGGER raise_updated_at BEFORE UPDATE OF updated_at ON public.tenants FOR EACH ROW WHEN (((new.updated_at <= old.updated_at) AND (new.updated_at > (old.updated_at - '00:01:00'::interval)))) EXECUTE FUNCTION raise_updated_at();
CREATE TRIGGER tenants_change AFTER UPDATE ON public.tenants FOR EACH ROW WHEN (((to_jsonb(old.*) - 'updated_at'::text) IS DISTINCT FROM (to_jsonb(new.*) - 'updated_at'::text))) EXECUTE FUNCTION tenant_changed();
CREATE TRIGGER tenants_count AFTER INSERT ON public.tenants FOR EACH ROW EXECUTE FUNCTION count_tenant();
CREATE TRIGGER tenants_hosts AFTER UPDATE ON public.tenants FOR EACH ROW WHEN ((((old.plan)::text IS DISTINCT FROM (new.plan)::text) OR (old.feature_overrides IS DISTINCT FROM new.feature_overrides) OR (old.deleted_at IS DISTINCT FROM new.deleted_at) OR (old.suspended_at IS DISTINCT FROM new.suspended_at))) EXECUTE FUNCTION notify_hosts_of_team();
CREATE TRIGGER tenants_identity_change AFTER UPDATE ON public.tenants FOR EACH ROW WHEN ((((old.name)::text IS DISTINCT FROM (new.name)::text) OR ((old.slug)::text IS DISTINCT FROM (new.slug)::text) OR ((old.plan)::text IS DISTINCT FROM (new.plan)::text) OR (old.feature_overrides IS DISTINCT FROM new.feature_overrides) OR (old.is_reseller IS DISTINCT FROM new.is_reseller) OR (old.deleted_at IS DISTINCT FROM new.deleted_at))) EXECUTE FUNCTION record_identity_change('id');
CREATE TRIGGER tenants_identity_end AFTER DELETE ON public.tenants FOR EACH ROW EXECUTE FUNCTION record_identity_change('id');
CREATE TRIGGER tenants_identity_suspension AFTER UPDATE ON public.tenants FOR EACH ROW WHEN ((old.suspended_at IS DISTINCT FROM new.suspended_at)) EXECUTE FUNCTION record_identity_change('id');
CREATE TRIGGER tenants_keep_suspended BEFORE UPDATE ON public.tenants FOR EACH ROW WHEN (((old.suspended_at IS NOT NULL) OR (new.suspended_at IS NOT NULL))) EXECUTE FUNCTION keep_suspension();
CREATE TRIGGER tenants_rest AFTER UPDATE ON public.tenants FOR EACH ROW WHEN ((((old.paused_at IS NULL) AND (old.deleted_at IS NULL)) IS DISTINCT FROM ((new.paused_at IS NULL) AND (new.deleted_at IS NULL)))) EXECUTE FUNCTION record_tenant_pause();
CREATE TRIGGER tenants_show AFTER UPDATE ON public.tenants FOR EACH ROW WHEN ((((((old.name)::text IS DISTINCT FROM (new.name)::text) OR ((old.slug)::text IS DISTINCT FROM (new.slug)::text)) OR ((old.plan)::text IS DISTINCT FROM (new.plan)::text)) OR (old.paused_at IS DISTINCT FROM new.paused_at))) EXECUTE FUNCTION copy_tenant_change();
CREATE TRIGGER tenants_stream AFTER UPDATE ON public.tenants FOR EACH ROW WHEN ((((((old.paused_at IS DISTINCT FROM new.paused_at) OR (old.deleted_at IS DISTINCT FROM new.deleted_at)) OR (old.suspended_at IS DISTINCT FROM new.suspended_at)) OR ((old.plan)::text IS DISTINCT FROM (new.plan)::text)) OR (old.feature_overrides IS DISTINCT FROM new.feature_overrides))) EXECUTE FUNCTION stream_changed_team();
alter table tenants enable row level security;
alter table tenants force row level security;
create policy founded on tenants as permissive for insert to vedette_app with check (((( SELECT current_reseller() AS current_reseller) IS NOT NULL) AND (NOT is_reseller)));
create policy managed_tenants on tenants as permissive for all to vedette_app using ((EXISTS ( SELECT 1
   FROM managed_teams t
  WHERE ((t.tenant_id = tenants.id) AND (t.reseller_id = ( SELECT current_reseller() AS current_reseller))))));
create policy own_tenant on tenants as permissive for all to vedette_app using (((id = ( SELECT current_tenant() AS current_tenant)) OR (id = ( SELECT current_reseller() AS current_reseller)))) with check ((id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on tenants as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on tenants as permissive for all to vedette_owner using (true) with check (true);
grant insert, select, update (name, updated_at, webhook_secret) on tenants to vedette_app;
grant delete, insert, select, update on tenants to vedette_platform;

create table tokens (
  id uuid not null,
  tenant_id uuid not null,
  user_id uuid,
  kind character varying(3) not null,
  name character varying(255) not null,
  hash bytea not null,
  scopes text[] default '{}'::text[] not null,
  is_active boolean default true not null,
  expires_at timestamp with time zone,
  dies_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  rotated_from uuid,
  created_by uuid,
  impersonated_by uuid,
  impersonating_tenant_id uuid,
  tail character varying(4) default ''::character varying not null,
  allowed_ips text[],
  last_used_ip inet,
  rotated_at timestamp with time zone,
  is_locked boolean default false not null,
  updated_at timestamp with time zone default now() not null,
  is_browser boolean default false not null,
  auth_method character varying(12),
  reauthenticated_at timestamp with time zone,
  sso_sid character varying(255),
  constraint tokens_hash_key UNIQUE (hash),
  constraint tokens_impersonating_tenant_id_fkey FOREIGN KEY (impersonating_tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint tokens_pkey PRIMARY KEY (id),
  constraint tokens_rotated_from_fkey FOREIGN KEY (rotated_from) REFERENCES tokens(id) ON DELETE SET NULL,
  constraint tokens_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE,
  constraint tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX tokens_impersonating ON public.tokens USING btree (impersonating_tenant_id) WHERE (impersonating_tenant_id IS NOT NULL);
CREATE INDEX tokens_of_person ON public.tokens USING btree (user_id);
CREATE INDEX tokens_of_tenant ON public.tokens USING btree (tenant_id, kind, created_at, id);
CREATE UNIQUE INDEX tokens_one_successor ON public.tokens USING btree (rotated_from);
CREATE TRIGGER raise_updated_at BEFORE UPDATE OF updated_at ON public.tokens FOR EACH ROW WHEN (((new.updated_at <= old.updated_at) AND (new.updated_at > (old.updated_at - '00:01:00'::interval)))) EXECUTE FUNCTION raise_updated_at();
CREATE TRIGGER tokens_identity_change AFTER UPDATE ON public.tokens FOR EACH ROW WHEN (((old.tenant_id IS DISTINCT FROM new.tenant_id) OR (old.user_id IS DISTINCT FROM new.user_id) OR ((old.kind)::text IS DISTINCT FROM (new.kind)::text) OR (old.hash IS DISTINCT FROM new.hash) OR (old.scopes IS DISTINCT FROM new.scopes) OR (old.is_active IS DISTINCT FROM new.is_active) OR (old.dies_at IS DISTINCT FROM new.dies_at) OR (old.allowed_ips IS DISTINCT FROM new.allowed_ips) OR (old.is_locked IS DISTINCT FROM new.is_locked) OR (old.impersonated_by IS DISTINCT FROM new.impersonated_by) OR (old.impersonating_tenant_id IS DISTINCT FROM new.impersonating_tenant_id) OR (old.is_browser IS DISTINCT FROM new.is_browser) OR (old.reauthenticated_at IS DISTINCT FROM new.reauthenticated_at) OR ((old.expires_at IS DISTINCT FROM new.expires_at) AND (NOT (((new.kind)::text = 'ss'::text) AND COALESCE((new.expires_at > old.expires_at), false)))))) EXECUTE FUNCTION record_identity_change('id');
CREATE TRIGGER tokens_identity_end AFTER DELETE ON public.tokens FOR EACH ROW EXECUTE FUNCTION record_identity_change('id');
alter table tokens enable row level security;
alter table tokens force row level security;
create policy own_delete on tokens as permissive for delete to vedette_app using (((user_id = ( SELECT current_user_id() AS current_user_id)) AND ((kind)::text = ANY ((ARRAY['ss'::character varying, 'sk'::character varying])::text[]))));
create policy own_select on tokens as permissive for select to vedette_app using (((user_id = ( SELECT current_user_id() AS current_user_id)) AND ((kind)::text = ANY ((ARRAY['ss'::character varying, 'sk'::character varying])::text[]))));
create policy own_tenant on tokens as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on tokens as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on tokens as permissive for all to vedette_owner using (true) with check (true);
grant delete, insert, select, update (expires_at, is_active, name, rotated_at, updated_at) on tokens to vedette_app;
grant delete, insert, select, update on tokens to vedette_platform;

create table trusted_devices (
  id uuid not null,
  user_id uuid not null,
  secret_hash bytea not null,
  name character varying(255) not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  last_used_at timestamp with time zone,
  last_used_ip inet,
  expires_at timestamp with time zone not null,
  constraint trusted_devices_pkey PRIMARY KEY (id),
  constraint trusted_devices_secret_hash_key UNIQUE (secret_hash),
  constraint trusted_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX trusted_devices_of_user ON public.trusted_devices USING btree (user_id, created_at);
alter table trusted_devices enable row level security;
alter table trusted_devices force row level security;
create policy own on trusted_devices as permissive for all to vedette_app using ((user_id = ( SELECT current_user_id() AS current_user_id))) with check ((user_id = ( SELECT current_user_id() AS current_user_id)));
create policy platform on trusted_devices as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on trusted_devices as permissive for all to vedette_owner using (true) with check (true);
grant delete, select on trusted_devices to vedette_app;
grant delete, insert, select, update on trusted_devices to vedette_platform;

create table usage_counters (
  tenant_id uuid not null,
  period date not null,
  metric character varying(40) not null,
  count bigint default 0 not null,
  constraint usage_counters_pkey PRIMARY KEY (tenant_id, period, metric),
  constraint usage_counters_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
) with (fillfactor=70);
alter table usage_counters enable row level security;
alter table usage_counters force row level security;
create policy own_tenant on usage_counters as permissive for select to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on usage_counters as permissive for all to vedette_platform using (true) with check (true);
grant select on usage_counters to vedette_app;
grant delete, insert, select, update on usage_counters to vedette_platform;

create table used_challenges (
  signature bytea not null,
  ends_at timestamp with time zone not null,
  constraint used_challenges_pkey PRIMARY KEY (signature)
);
CREATE INDEX used_challenges_ended ON public.used_challenges USING btree (ends_at);
alter table used_challenges enable row level security;
alter table used_challenges force row level security;
create policy platform on used_challenges as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update on used_challenges to vedette_platform;

create table users (
  id uuid not null,
  name character varying(255) not null,
  email citext not null,
  password_hash text,
  language character varying(10) default 'en'::character varying not null,
  is_super_admin boolean default false not null,
  home_tenant_id uuid,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  is_service boolean default false not null,
  timezone character varying(64) default 'UTC'::character varying not null,
  password_changed_at timestamp with time zone,
  digest character varying(6) default 'off'::character varying not null,
  digest_at timestamp with time zone,
  monthly_report boolean default false not null,
  monthly_report_at timestamp with time zone,
  email_verified_at timestamp with time zone,
  handover_mails boolean default true not null,
  preferences jsonb default '{}'::jsonb not null,
  chose_locale boolean default false not null,
  constraint users_digest_check CHECK (((digest)::text = ANY ((ARRAY['off'::character varying, 'daily'::character varying, 'weekly'::character varying])::text[]))),
  constraint users_home_tenant_id_fkey FOREIGN KEY (home_tenant_id) REFERENCES tenants(id) ON DELETE SET NULL,
  constraint users_pkey PRIMARY KEY (id)
);
CREATE INDEX users_digest_due ON public.users USING btree (digest_at) WHERE ((digest)::text <> 'off'::text);
CREATE INDEX users_email ON public.users USING btree (email);
CREATE INDEX users_monthly_report_due ON public.users USING btree (monthly_report_at) WHERE monthly_report;
CREATE UNIQUE INDEX users_proven_email ON public.users USING btree (email) WHERE (email_verified_at IS NOT NULL);
CREATE TRIGGER raise_updated_at BEFORE UPDATE OF updated_at ON public.users FOR EACH ROW WHEN (((new.updated_at <= old.updated_at) AND (new.updated_at > (old.updated_at - '00:01:00'::interval)))) EXECUTE FUNCTION raise_updated_at();
CREATE TRIGGER users_account_contact AFTER UPDATE OF email ON public.users FOR EACH ROW WHEN ((old.email IS DISTINCT FROM new.email)) EXECUTE FUNCTION keep_account_contact();
CREATE TRIGGER users_change AFTER UPDATE ON public.users FOR EACH ROW WHEN (((to_jsonb(old.*) - '{digest_at,monthly_report_at,updated_at}'::text[]) IS DISTINCT FROM (to_jsonb(new.*) - '{digest_at,monthly_report_at,updated_at}'::text[]))) EXECUTE FUNCTION person_changed();
CREATE TRIGGER users_end_trusted_devices AFTER UPDATE ON public.users FOR EACH ROW WHEN ((old.password_hash IS DISTINCT FROM new.password_hash)) EXECUTE FUNCTION end_trusted_devices('id');
CREATE TRIGGER users_identity_change AFTER UPDATE ON public.users FOR EACH ROW WHEN ((((old.name)::text IS DISTINCT FROM (new.name)::text) OR (old.email IS DISTINCT FROM new.email) OR (old.is_super_admin IS DISTINCT FROM new.is_super_admin) OR ((old.language)::text IS DISTINCT FROM (new.language)::text))) EXECUTE FUNCTION record_identity_change('id');
CREATE TRIGGER users_identity_end AFTER DELETE ON public.users FOR EACH ROW EXECUTE FUNCTION record_identity_change('id');
alter table users enable row level security;
alter table users force row level security;
create policy known_people on users as permissive for all to vedette_app using (((id = ( SELECT current_user_id() AS current_user_id)) OR (EXISTS ( SELECT 1
   FROM memberships m
  WHERE ((m.user_id = users.id) AND (m.tenant_id = ( SELECT current_tenant() AS current_tenant)))))));
create policy new_people on users as permissive for insert to vedette_app with check (((NOT is_super_admin) AND (email_verified_at IS NULL)));
create policy platform on users as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on users as permissive for all to vedette_owner using (true) with check (true);
grant insert, select, update (chose_locale, digest, digest_at, handover_mails, language, monthly_report, monthly_report_at, name, preferences, timezone, updated_at) on users to vedette_app;
grant delete, insert, select, update on users to vedette_platform;

create table verdict_changes (
  id bigint generated always as identity not null,
  tenant_id uuid not null,
  monitor_id uuid not null,
  check_id uuid not null,
  at timestamp with time zone not null,
  verdict character varying(20) not null,
  severity character varying(20),
  constraint verdict_changes_pkey PRIMARY KEY (id),
  constraint verdict_changes_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX verdict_changes_check ON public.verdict_changes USING btree (check_id, at, id) INCLUDE (verdict);
CREATE INDEX verdict_changes_monitor ON public.verdict_changes USING btree (monitor_id, at);
CREATE INDEX verdict_changes_of_tenant ON public.verdict_changes USING btree (tenant_id, check_id, at, id) INCLUDE (verdict);
CREATE INDEX verdict_changes_removed ON public.verdict_changes USING btree (monitor_id, check_id, at) WHERE ((verdict)::text = 'removed'::text);
CREATE TRIGGER verdict_changes_follow AFTER INSERT ON public.verdict_changes REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION follow_verdicts();
alter table verdict_changes enable row level security;
alter table verdict_changes force row level security;
create policy own_tenant on verdict_changes as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on verdict_changes as permissive for all to vedette_platform using (true) with check (true);
create policy upkeep on verdict_changes as permissive for all to vedette_owner using (true) with check (true);
grant insert, select on verdict_changes to vedette_app;
grant delete, insert, select, update on verdict_changes to vedette_platform;

create table vitals_beacons (
  monitor_id uuid not null,
  tenant_id uuid not null,
  beacon_id uuid not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint vitals_beacons_beacon_id_key UNIQUE (beacon_id),
  constraint vitals_beacons_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint vitals_beacons_pkey PRIMARY KEY (monitor_id),
  constraint vitals_beacons_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX vitals_beacons_tenant ON public.vitals_beacons USING btree (tenant_id);
alter table vitals_beacons enable row level security;
alter table vitals_beacons force row level security;
create policy own_tenant on vitals_beacons as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on vitals_beacons as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select, update (beacon_id, updated_at) on vitals_beacons to vedette_app;
grant delete, insert, select, update on vitals_beacons to vedette_platform;

create table votes (
  check_id uuid not null,
  region character varying(40) not null,
  tenant_id uuid not null,
  vote character varying(10),
  streak_outcome character varying(10),
  streak_count integer default 0 not null,
  streak_since timestamp with time zone,
  last_due bigint default 0 not null,
  last_attempt integer default 0 not null,
  evidence jsonb,
  updated_at timestamp with time zone default now() not null,
  constraint votes_check_id_fkey FOREIGN KEY (check_id) REFERENCES checks(id) ON DELETE CASCADE,
  constraint votes_pkey PRIMARY KEY (check_id, region),
  constraint votes_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
) with (fillfactor=60);
CREATE INDEX votes_tenant ON public.votes USING btree (tenant_id);
alter table votes enable row level security;
alter table votes force row level security;
create policy own_tenant on votes as permissive for all to vedette_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant))) with check ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy platform on votes as permissive for all to vedette_platform using (true) with check (true);
grant select on votes to vedette_app;
grant delete, insert, select, update on votes to vedette_platform;

create table waiting_server_samples (
  id bigint generated always as identity not null,
  tenant_id uuid not null,
  monitor_id uuid not null,
  rows bytea not null,
  received_at timestamp with time zone default clock_timestamp() not null,
  constraint waiting_server_samples_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id) ON DELETE CASCADE,
  constraint waiting_server_samples_pkey PRIMARY KEY (id),
  constraint waiting_server_samples_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX waiting_server_samples_monitor ON public.waiting_server_samples USING btree (monitor_id, id);
CREATE INDEX waiting_server_samples_tenant ON public.waiting_server_samples USING btree (tenant_id);
alter table waiting_server_samples enable row level security;
alter table waiting_server_samples force row level security;
create policy platform on waiting_server_samples as permissive for all to vedette_platform using (true) with check (true);
grant delete, insert, select on waiting_server_samples to vedette_platform;

CREATE OR REPLACE FUNCTION public.add_audit_link(l audit_links, e audit_entries)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  prev bytea;
begin
  insert into audit_heads (tenant_id) values (l.tenant_id) on conflict do nothing;
  select h.seq + 1, h.hash into l.seq, prev from audit_heads h where h.tenant_id = l.tenant_id for update;
  l.hash := audit_link_hash(prev, l, e);
  insert into audit_links select l.*;
  update audit_heads set seq = l.seq, hash = l.hash, changed_at = clock_timestamp() where tenant_id = l.tenant_id;
end $function$;

CREATE OR REPLACE FUNCTION public.age_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update tokens set reauthenticated_at = null
  where user_id = new.user_id and tenant_id = new.tenant_id and is_browser and reauthenticated_at is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.alerting_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and to_jsonb(old) - tg_argv[0]::text[] = to_jsonb(new) - tg_argv[0]::text[] then
    return null;
  end if;
  perform pg_notify('alerting', coalesce(new.tenant_id, old.tenant_id)::text);
  if tg_op <> 'INSERT' then perform retry_quarantined(old.tenant_id); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.audit_link_hash(prev bytea, l audit_links, e audit_entries)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select sha256(prev || convert_to(case when l.is_redaction then jsonb_build_array(l.tenant_id, l.seq, l.entry_id,
    'redaction') else
    jsonb_build_array(l.tenant_id, l.seq, l.entry_id, e.id, e.tenant_id, e.user_id, e.impersonator_id, e.token_id,
      e.action, e.entity_type, e.entity_id,
      extract(epoch from e.created_at)::text, encode(l.ip_mark, 'hex'), encode(l.request_mark, 'hex'),
        encode(l.changes_mark, 'hex')) end::text, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION public.audit_mark(salt bytea, value text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select sha256(salt || convert_to(value, 'UTF8')) $function$;

CREATE OR REPLACE FUNCTION public.begin_agent_monitor()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into agent_monitors (monitor_id, tenant_id, check_id) values (new.monitor_id, new.tenant_id, new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.begin_heartbeat()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into heartbeats (check_id, tenant_id, monitor_id) values (new.id, new.tenant_id, new.monitor_id);
  insert into ping_addresses (tenant_id, check_id) values (new.tenant_id, new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.chain_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  e audit_entries;
begin
  -- as it is at the end of its transaction, in which its tenant may have gone
  select * into e from audit_entries a where a.id = new.id;
  if found then
    perform link_audit_entry(e);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.change_managed_tenant(team uuid, changes jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select 1 from managed_teams m where m.tenant_id = team and m.reseller_id = current_reseller()) then
    raise insufficient_privilege using message = 'only the reseller of a team changes its plan, name and state';
  end if;
  update tenants t set
    name = coalesce(changes ->> 'name', t.name),
    plan = coalesce(changes ->> 'plan', t.plan),
    feature_overrides = coalesce(changes -> 'feature_overrides', t.feature_overrides),
    paused_at = case when changes ? 'paused_at' and t.suspended_at is null
      then (changes ->> 'paused_at')::timestamptz else t.paused_at end,
    paused_before_suspension = case when changes ? 'paused_at' and t.suspended_at is not null
      then (changes ->> 'paused_at')::timestamptz else t.paused_before_suspension end,
    deleted_at = case when changes ? 'deleted_at' then (changes ->> 'deleted_at')::timestamptz else t.deleted_at end,
    updated_at = (changes ->> 'updated_at')::timestamptz
  where t.id = team;
end $function$;

CREATE OR REPLACE FUNCTION public.check_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  was checks := old;
begin
  if tg_op = 'UPDATE' then
    was.verdict := new.verdict;
    was.verdict_since := new.verdict_since;
    was.verdict_reason := new.verdict_reason;
    was.coverage := new.coverage;
    was.failing_regions := new.failing_regions;
    was.updated_at := new.updated_at;
    if was is not distinct from new then return null; end if;
  end if;
  perform pg_notify('assignments', jsonb_build_object('monitor', coalesce(new.monitor_id, old.monitor_id))::text);
  if tg_op <> 'INSERT' then perform retry_quarantined(old.tenant_id); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.claim_outbox(kinds text[], most integer, for_s integer)
 RETURNS SETOF outbox
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
begin
  return query
    with due as materialized (
      select d.id from outbox d
      where d.done_at is null and d.next_at <= clock_timestamp() and d.kind || '' = any(kinds)
        and not exists (
          select 1 from outbox e where coalesce(e.done_at, 'infinity') = 'infinity' and e.kind = 'event'
            and d.kind = 'event'
            and e.payload ->> 'monitor_id' = d.payload ->> 'monitor_id' and e.id + 0 < d.id offset 0)
      order by d.next_at, d.id limit most for update of d skip locked
    )
    update outbox o set next_at = clock_timestamp() + for_s * interval '1 second', attempts = o.attempts + 1
    where o.id = any(array(select due.id from due))
    returning o.*;
end $function$;

CREATE OR REPLACE FUNCTION public.copy_tenant()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  select t.name, t.slug, t.plan, t.paused_at into new.name, new.slug, new.plan, new.paused_at from tenants t
    where t.id = new.tenant_id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.copy_tenant_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update managed_teams set name = new.name, slug = new.slug, plan = new.plan, paused_at = new.paused_at, updated_at =
    greatest(updated_at, new.updated_at)
  where tenant_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_for_reseller()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op <> 'INSERT' then update tenant_counts set reseller_id = null where tenant_id = old.tenant_id; end if;
  if tg_op <> 'DELETE' then update tenant_counts set reseller_id = new.reseller_id
    where tenant_id = new.tenant_id; end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_incidents()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare noted jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(open_incidents) as open_incidents
        from (select tenant_id, ((resolved_at is null)::int) as open_incidents from added) r
      group by tenant_id having sum(open_incidents) <> 0
    ) d;
  elsif tg_op = 'DELETE' then
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(open_incidents) as open_incidents
        from (select tenant_id, -((resolved_at is null)::int) as open_incidents from removed) r
      group by tenant_id having sum(open_incidents) <> 0
    ) d;
  else
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(open_incidents) as open_incidents
        from (select tenant_id, ((resolved_at is null)::int) as open_incidents from added
        union all select tenant_id, -((resolved_at is null)::int) as open_incidents from removed) r
      group by tenant_id having sum(open_incidents) <> 0
    ) d;
  end if;
  if noted is not null then insert into count_deltas values (noted); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_memberships()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare noted jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(members) as members from (select tenant_id, ((not is_service)::int) as members from added) r
      group by tenant_id having sum(members) <> 0
    ) d;
  elsif tg_op = 'DELETE' then
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(members) as members from (select tenant_id, -((not is_service)::int) as members from
        removed) r
      group by tenant_id having sum(members) <> 0
    ) d;
  else
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(members) as members from (select tenant_id, ((not is_service)::int) as members from added
        union all select tenant_id, -((not is_service)::int) as members from removed) r
      group by tenant_id having sum(members) <> 0
    ) d;
  end if;
  if noted is not null then insert into count_deltas values (noted); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_monitors()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare noted jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, count(*) as monitors, sum((state = 'up')::int) as monitors_up,
        sum((state = 'down')::int) as monitors_down
      from (select tenant_id,
        monitor_state(null, null, is_enabled, held_by_plan, null, status, coverage, coverage_since) as state
        from added) r
      group by tenant_id
    ) d;
  elsif tg_op = 'DELETE' then
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, -count(*) as monitors, -sum((state = 'up')::int) as monitors_up,
        -sum((state = 'down')::int) as monitors_down
      from (select tenant_id,
        monitor_state(null, null, is_enabled, held_by_plan, null, status, coverage, coverage_since) as state
        from removed) r
      group by tenant_id
    ) d;
  else
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(n) as monitors, sum(n * (state = 'up')::int) as monitors_up,
        sum(n * (state = 'down')::int) as monitors_down
      from (
        select tenant_id, 1 as n,
          monitor_state(null, null, is_enabled, held_by_plan, null, status, coverage, coverage_since) as state
        from added
        union all
        select tenant_id, -1,
          monitor_state(null, null, is_enabled, held_by_plan, null, status, coverage, coverage_since)
        from removed
      ) r
      group by tenant_id
      having sum(n) <> 0 or sum(n * (state = 'up')::int) <> 0 or sum(n * (state = 'down')::int) <> 0
    ) d;
  end if;
  if noted is not null then insert into count_deltas values (noted); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_tenant()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tenant_counts (tenant_id) values (new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.current_reseller()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('app.reseller_id', true), '')::uuid $function$;

CREATE OR REPLACE FUNCTION public.current_tenant()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('app.tenant_id', true), '')::uuid $function$;

CREATE OR REPLACE FUNCTION public.current_user_id()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('app.user_id', true), '')::uuid $function$;

CREATE OR REPLACE FUNCTION public.end_maintenance_occurrence()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  planned_end timestamptz := old.next_starts_at + make_interval(mins => old.duration_minutes);
  started timestamptz := least(new.actual_started_at, old.next_starts_at);
  ended timestamptz := least(new.actual_ended_at, old.next_ends_at);
begin
  new.last_planned_at := old.next_starts_at;
  if new.rrule is null then return new; end if;
  new.exceptions := coalesce((
    select jsonb_agg(e order by n) from jsonb_array_elements(new.exceptions) with ordinality as x(e, n)
    where (e ->> 'planned')::timestamptz < old.next_starts_at
  ), '[]');
  if started <> old.next_starts_at or ended <> planned_end then
    new.exceptions := new.exceptions
      || jsonb_build_object('planned', old.next_starts_at, 'started', started, 'ended', ended);
  end if;
  while jsonb_array_length(new.exceptions) > 100 loop new.exceptions := new.exceptions - 0; end loop;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.end_trusted_devices()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from trusted_devices where user_id = (to_jsonb(old) ->> tg_argv[0])::uuid;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.fold_counts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if not exists (select from count_deltas) then return null; end if;
  with taken as (
    delete from count_deltas returning changes
  ), summed as (
    select r.tenant_id, coalesce(sum(r.monitors), 0)::int as monitors, coalesce(sum(r.monitors_up), 0)::int as
      monitors_up,
      coalesce(sum(r.monitors_down), 0)::int as monitors_down, coalesce(sum(r.open_incidents), 0)::int as
        open_incidents, coalesce(sum(r.members), 0)::int as members
    from taken, jsonb_to_recordset(taken.changes)
      as r(tenant_id uuid, monitors int, monitors_up int, monitors_down int, open_incidents int, members int)
    group by r.tenant_id
  ), held as (
    select c.tenant_id from tenant_counts c where c.tenant_id in (select tenant_id from summed) order by c.tenant_id
      for update
  )
  update tenant_counts c set monitors = c.monitors + s.monitors, monitors_up = c.monitors_up + s.monitors_up,
    monitors_down = c.monitors_down + s.monitors_down,
    open_incidents = c.open_incidents + s.open_incidents, members = c.members + s.members
  from summed s join held h on h.tenant_id = s.tenant_id
  where c.tenant_id = s.tenant_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.follow_incident()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update escalation_runs r set
    state = case
      when new.resolved_at is not null then 'resolved'
      when new.acknowledged_at is not null then 'acknowledged'
      when new.notified_at is null or new.snoozed_until > clock_timestamp() then 'parked'
      when new.suppressed_by is not null then 'held'
      when r.round = 1 and r.step = 0 then 'pending'
      else 'running' end,
    next_at = case when new.resolved_at is null and new.acknowledged_at is null and new.notified_at is not null
        and new.suppressed_by is null and r.next_at is null
      then clock_timestamp() + (select s.delay_minutes * interval '1 minute' from escalation_steps s
        where s.policy_id = r.policy_id order by s.position, s.id limit 1)
      else r.next_at end,
    updated_at = clock_timestamp()
  where r.incident_id = new.id and r.state not in ('resolved', 'exhausted');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.follow_verdicts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- the verdicts of a monitor's checks are judged one after the other
  perform 1 from monitors m where m.id in (select monitor_id from added) order by m.id for no key update;
  perform judge_monitors(coalesce(jsonb_agg(jsonb_build_object(
    'tenant_id', t.tenant_id, 'monitor_id', t.monitor_id, 'since', t.since)), '[]'))
  from (select tenant_id, monitor_id, min(at) as since from added group by 1, 2) t;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.hidden_counts()
 RETURNS TABLE(tenant_id uuid, up integer, down integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select c.tenant_id, c.monitors_up, c.monitors_down
  from tenant_counts c join tenants t on t.id = c.tenant_id
  where c.reseller_id = current_reseller() and (t.paused_at is not null or t.deleted_at is not null)
    and c.monitors_up + c.monitors_down > 0
  union all
  select m.tenant_id, count(*) filter (where m.state = 'up')::int, count(*) filter (where m.state = 'down')::int
  from (
    select distinct o.id, o.tenant_id,
      monitor_state(null, null, o.is_enabled, o.held_by_plan, null, o.status, o.coverage, o.coverage_since) as state
    from maintenance_spans ms join monitors o on o.id = ms.monitor_id
    where ms.ended_at is null
  ) m join tenant_counts c on c.tenant_id = m.tenant_id join tenants t on t.id = m.tenant_id
  where c.reseller_id = current_reseller() and t.paused_at is null and t.deleted_at is null
  group by 1
$function$;

CREATE OR REPLACE FUNCTION public.identity_key(id uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN hashtextextended((id)::text, (0)::bigint);

CREATE OR REPLACE FUNCTION public.incident_seconds(monitor uuid, examined uuid, imported text, started timestamp with time zone, ended timestamp with time zone, since timestamp with time zone, until timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  cut_from timestamptz := greatest(started, since);
  cut_to timestamptz := least(ended, until);
  begins_ms bigint := round(extract(epoch from cut_from) * 1000);
  ends_ms bigint := round(extract(epoch from cut_to) * 1000);
  other int8multirange;
begin
  if cut_from is null or cut_to is null or ends_ms <= begins_ms then return 0; end if;
  if imported is null then
    select range_agg(int8range(
      greatest(begins_ms, round(extract(epoch from greatest(o.starts, cut_from)) * 1000)::bigint),
      least(ends_ms, round(extract(epoch from least(o.ends, cut_to)) * 1000)::bigint)))
    into other
    from (
      select ms.started_at as starts, ms.ended_at as ends from maintenance_spans ms
      where ms.monitor_id = monitor and (ms.is_excluded or ms.is_paused)
        and ms.started_at < cut_to and coalesce(ms.ended_at, 'infinity') > cut_from
      union all
      select started_at, ended_at from monitoring_gaps where ended_at > cut_from and started_at < cut_to
      union all
      select v.at, (
        select n.at from verdict_changes n
        where n.check_id = examined and (n.at, n.id) > (v.at, v.id) order by n.at, n.id limit 1)
      from verdict_changes v
      where v.check_id = examined and v.at > started and v.at < cut_to and v.verdict <> 'down'
      union all
      -- a gap of regions ends with their return, or with the check's next change
      select g.started_at, least(g.ended_at, (
        select v.at from verdict_changes v where v.check_id = examined and v.at > g.started_at
        order by v.at, v.id limit 1))
      from check_regions r join region_gaps g on g.shard = r.shard and g.regions = r.regions
        and g.started_at >= r.since and g.started_at < coalesce(r.ended_at, 'infinity')
      where r.check_id = examined and r.since < cut_to and coalesce(r.ended_at, 'infinity') > cut_from
        and g.started_at < cut_to and coalesce(g.ended_at, 'infinity') > cut_from
    ) o
    where o.starts < cut_to and coalesce(o.ends, 'infinity') > greatest(o.starts, cut_from);
  end if;
  return (
    select floor(coalesce(sum(upper(s.span) - lower(s.span)), 0) / 1000)
    from unnest(int8multirange(int8range(begins_ms, ends_ms)) - coalesce(other, '{}')) as s (span));
end $function$;

CREATE OR REPLACE FUNCTION public.join_maintenance()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare switched uuid[];
begin
  perform 1 from maintenance_windows w
  where w.tenant_id = new.tenant_id and (w.state = 'active' or (w.state = 'scheduled'
    and w.next_starts_at < clock_timestamp() + interval '10 seconds')) order by w.id for share;
  with ended as (
    update maintenance_spans s set ended_at = greatest(s.started_at, clock_timestamp())
    from maintenance_windows w
    where s.monitor_id = new.id and s.ended_at is null and w.id = s.window_id
      and not (w.is_all or new.id = any(w.monitor_ids) or w.tags && new.tags)
    returning s.monitor_id, s.is_paused
  ), opened as (
    insert into maintenance_spans (tenant_id, monitor_id, window_id, is_excluded, is_paused)
    select w.tenant_id, new.id, w.id, w.exclude_from_uptime, w.mode = 'pause_checks'
    from maintenance_windows w
    where w.tenant_id = new.tenant_id and w.state = 'active'
      and (w.is_all or new.id = any(w.monitor_ids) or w.tags && new.tags)
    on conflict do nothing
    returning monitor_id, is_paused
  )
  select array_agg(distinct monitor_id) filter (where is_paused) into switched
  from (select * from ended union all select * from opened) s;
  if switched is not null then perform switch_maintenance(switched); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.judge_monitors(touched jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from monitor_changes c using jsonb_to_recordset(touched) as t(tenant_id uuid, monitor_id uuid, since timestamptz)
  where c.tenant_id = t.tenant_id and c.monitor_id = t.monitor_id and c.at >= t.since;
  insert into monitor_changes (tenant_id, monitor_id, at, verdict)
  select tenant_id, monitor_id, at, verdict from (
    select j.*, lag(verdict, 1, before) over (partition by monitor_id order by at) as previous from (
      select m.tenant_id, m.monitor_id, m.at, m.before, (array['paused', 'none', 'up', 'warning', 'down'])[coalesce(max(
        case when l.verdict = 'down' and coalesce(l.severity, 'critical') in ('critical', 'major') then 5
          when l.verdict in ('down', 'warning') then 4 when l.verdict = 'up' then 3
          when l.verdict = 'paused' then 1 when l.verdict is not null then 2 end), 2)] as verdict
      from (
        select distinct t.tenant_id, t.monitor_id, v.at, (
          select c.verdict from monitor_changes c
          where c.tenant_id = t.tenant_id and c.monitor_id = t.monitor_id and c.at < t.since order by c.at desc limit 1
        ) as before
        from jsonb_to_recordset(touched) as t(tenant_id uuid, monitor_id uuid, since timestamptz)
        join verdict_changes v on v.monitor_id = t.monitor_id and v.tenant_id = t.tenant_id and v.at >= t.since
      ) m
      left join lateral (
        select id, severity from checks where monitor_id = m.monitor_id
        union all
        select check_id, null from verdict_changes r
        where r.monitor_id = m.monitor_id and r.verdict = 'removed' and r.at > m.at
      ) c on true
      left join lateral (
        select v.verdict, coalesce(v.severity, c.severity) as severity from verdict_changes v
        where v.check_id = c.id and v.at <= m.at order by v.at desc, v.id desc limit 1
      ) l on true
      group by m.tenant_id, m.monitor_id, m.at, m.before
    ) j
  ) p where verdict is distinct from previous;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_account_contact()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.keep_maintenance_occurrence()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into maintenance_occurrences (tenant_id, window_id, monitor_ids, planned_at, started_at, ended_at)
  select new.tenant_id, new.id, array(
      select s.monitor_id from maintenance_spans s where s.window_id = new.id and s.ended_at is null),
    old.next_starts_at, o.started_at, greatest(o.started_at, least(new.actual_ended_at, old.next_ends_at))
  from (select least(new.actual_started_at, old.next_starts_at) as started_at) o;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_suspension()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.leave_on_call()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  at timestamptz := clock_timestamp();
begin
  update on_call_schedules set watch_at = at
  where tenant_id = old.tenant_id and id in (
    select r.schedule_id from on_call_rotation_versions v join on_call_rotations r on r.id = v.rotation_id
    where v.tenant_id = old.tenant_id and old.user_id = any(v.users)
    union all
    select schedule_id from on_call_overrides
    where tenant_id = old.tenant_id and old.user_id in (user_id, replaces_user_id) and ends_at > at);
  if tg_op = 'DELETE' then
    delete from on_call_overrides
    where tenant_id = old.tenant_id and old.user_id in (user_id, replaces_user_id) and starts_at >= at;
    update on_call_overrides set ends_at = at
    where tenant_id = old.tenant_id and old.user_id in (user_id, replaces_user_id) and ends_at > at;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.link_audit_entry(e audit_entries)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  l audit_links;
begin
  l.tenant_id := e.tenant_id;
  l.entry_id := e.id;
  l.is_redaction := false;
  if e.ip is not null then
    l.ip_salt := uuid_send(gen_random_uuid());
    l.ip_mark := audit_mark(l.ip_salt, e.ip::text);
  end if;
  if e.request_id is not null then
    l.request_salt := uuid_send(gen_random_uuid());
    l.request_mark := audit_mark(l.request_salt, e.request_id);
  end if;
  if e.changes is not null then
    l.changes_salt := uuid_send(gen_random_uuid());
    l.changes_mark := audit_mark(l.changes_salt, e.changes::text);
  end if;
  perform add_audit_link(l, e);
end $function$;

CREATE OR REPLACE FUNCTION public.lose_steps()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update escalation_steps s set lost_at = clock_timestamp()
  where s.tenant_id = old.tenant_id
    and case when tg_table_name = 'escalation_targets' then s.id = (to_jsonb(old) ->> 'step_id')::uuid
      else s.id in (select t.step_id from escalation_targets t
        where t.user_id = old.user_id and t.tenant_id = old.tenant_id) end
    and not exists (
      select from escalation_targets t
      left join memberships m on m.user_id = t.user_id and m.tenant_id = t.tenant_id
      where t.step_id = s.id and (t.user_id is null or m.disabled_at is null));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.mark_service_user()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  new.is_service := coalesce((select u.is_service from users u where u.id = new.user_id), false);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.mark_stream()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into stream_events (id) select nextval(pg_get_serial_sequence('outbox', 'id'))
  where not exists (select 1 from stream_events
    where tenant_id is null and made_at > clock_timestamp() - interval '1 minute');
end $function$;

CREATE OR REPLACE FUNCTION public.monitor_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  was monitors := old;
begin
  if tg_op = 'UPDATE' then
    was.status := new.status;
    was.status_reason := new.status_reason;
    was.status_changed_at := new.status_changed_at;
    was.coverage := new.coverage;
    was.coverage_since := new.coverage_since;
    was.updated_at := new.updated_at;
    if was is not distinct from new then return null; end if;
  end if;
  perform pg_notify('assignments', jsonb_build_object('monitor', coalesce(new.id, old.id))::text);
  if tg_op <> 'INSERT' then perform retry_quarantined(old.tenant_id); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.monitor_state(team_deleted_at timestamp with time zone, team_paused_at timestamp with time zone, is_enabled boolean, held_by_plan boolean, maintenance_since timestamp with time zone, status text, coverage text, coverage_since timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when $1 is not null
    then 'deleted'
    when $2 is not null
    then 'team_paused'
    when not $3
    then 'disabled'
    when $4
    then 'on_hold'
    when $5 is not null
    then 'maintenance'
    when ($6 is null or $6 not in ('up', 'warning', 'down'))
    then 'unknown'
    when $7 = 'none'
      and $8 is not null
    then 'unknown'
    when $6 = 'down'
    then 'down'
    when $6 = 'warning'
    then 'degraded'
    else 'up'
  end
$function$;

CREATE OR REPLACE FUNCTION public.monitor_states(tenant uuid)
 RETURNS TABLE(monitor_id uuid, state text, cause text, since timestamp with time zone, detail text)
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select m.id,
  case
    when t.deleted_at is not null
    then 'deleted'
    when t.paused_at is not null
    then 'team_paused'
    when not m.is_enabled
    then 'disabled'
    when m.held_by_plan
    then 'on_hold'
    when exists (select 1 from maintenance_spans ms where ms.monitor_id = m.id and ms.ended_at is null)
    then 'maintenance'
    when (m.status is null or m.status not in ('up', 'warning', 'down'))
    then 'unknown'
    when m.coverage = 'none'
      and m.coverage_since is not null
    then 'unknown'
    when m.status = 'down'
    then 'down'
    when m.status = 'warning'
    then 'degraded'
    else 'up'
  end,
  case
    when t.deleted_at is not null
    then 'team_deleted'
    when t.paused_at is not null
      and t.suspended_at is not null
    then 'team_suspended'
    when t.paused_at is not null
    then 'team_paused'
    when not m.is_enabled
    then 'disabled'
    when m.held_by_plan
    then 'over_plan'
    when exists (select 1 from maintenance_spans ms where ms.monitor_id = m.id and ms.ended_at is null)
    then 'maintenance_window'
    when (m.status is null or m.status not in ('up', 'warning', 'down'))
      and not exists (select 1 from checks c where c.monitor_id = m.id and c.is_enabled)
    then 'no_check'
    when (m.status is null or m.status not in ('up', 'warning', 'down'))
    then 'not_judged'
    when m.coverage = 'none'
      and m.coverage_since is not null
    then 'no_region'
    when m.status = 'down'
    then 'check_failed'
    when m.status = 'warning'
    then 'check_warns'
    else null
  end,
  case
    when t.deleted_at is not null
    then greatest(
      t.deleted_at,
      m.created_at
    )
    when t.paused_at is not null
      and t.suspended_at is not null
    then greatest(
      t.paused_at,
      m.created_at
    )
    when t.paused_at is not null
    then greatest(
      t.paused_at,
      m.created_at
    )
    when not m.is_enabled
    then greatest(
      m.switched_at,
      m.created_at
    )
    when m.held_by_plan
    then greatest(
      m.switched_at,
      m.created_at
    )
    when exists (select 1 from maintenance_spans ms where ms.monitor_id = m.id and ms.ended_at is null)
    then greatest(
      (select min(ms.started_at) from maintenance_spans ms where ms.monitor_id = m.id and ms.ended_at is null),
      m.switched_at
    )
    when (m.status is null or m.status not in ('up', 'warning', 'down'))
      and not exists (select 1 from checks c where c.monitor_id = m.id and c.is_enabled)
    then greatest(
      m.status_changed_at,
      m.created_at
    )
    when (m.status is null or m.status not in ('up', 'warning', 'down'))
    then greatest(
      m.status_changed_at,
      m.created_at
    )
    when m.coverage = 'none'
      and m.coverage_since is not null
    then m.coverage_since
    when m.status = 'down'
    then m.status_changed_at
    when m.status = 'warning'
    then m.status_changed_at
    else m.status_changed_at
  end,
  case
    when t.deleted_at is not null
    then null
    when t.paused_at is not null
      and t.suspended_at is not null
    then null
    when t.paused_at is not null
    then (select g.paused_reason from managed_teams g where g.tenant_id = t.id)
    when not m.is_enabled
    then null
    when m.held_by_plan
    then null
    when exists (select 1 from maintenance_spans ms where ms.monitor_id = m.id and ms.ended_at is null)
    then (select w.title from maintenance_spans ms join maintenance_windows w on w.id = ms.window_id
      where ms.monitor_id = m.id and ms.ended_at is null order by ms.started_at, ms.id limit 1)
    when (m.status is null or m.status not in ('up', 'warning', 'down'))
      and not exists (select 1 from checks c where c.monitor_id = m.id and c.is_enabled)
    then null
    when (m.status is null or m.status not in ('up', 'warning', 'down'))
    then null
    when m.coverage = 'none'
      and m.coverage_since is not null
    then null
    when m.status = 'down'
    then m.status_reason
    when m.status = 'warning'
    then m.status_reason
    else null
  end
  from tenants t join monitors m on m.tenant_id = t.id
  where t.id = $1
$function$;

CREATE OR REPLACE FUNCTION public.monitor_status(state text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case $1
    when 'deleted' then 'paused'
    when 'team_paused' then 'paused'
    when 'disabled' then 'paused'
    when 'on_hold' then 'paused'
    when 'maintenance' then 'maintenance'
    when 'down' then 'down'
    when 'degraded' then 'warning'
    when 'up' then 'up'
  end
$function$;

CREATE OR REPLACE FUNCTION public.notify_alerting()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then perform pg_notify('alerting', old.tenant_id::text); end if;
  if tg_op <> 'DELETE' then perform pg_notify('alerting', new.tenant_id::text); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_custom_domains()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('custom_domains', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_groups_shown()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform notify_shown('{}', array_agg(tenant_id), array_agg(group_name)) from (
    select distinct tenant_id, group_name from changed where group_name is not null) g
  having count(*) > 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_hosts_of_team()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select 1 from custom_domains where tenant_id = new.id) then
    perform pg_notify('custom_domains', '');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_mails()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('mails', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_pages_by_sso()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('status_pages', jsonb_build_object('page', id, 'slug', slug)::text)
    from status_pages where tenant_id = coalesce(new.tenant_id, old.tenant_id) and access = 'sso';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_pages_of_team()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('status_pages', jsonb_build_object('tenant', coalesce(new.tenant_id, old.tenant_id))::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_pages_of_window()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  page uuid;
begin
  for page in select distinct unnest(
    case when tg_op <> 'INSERT' then old.status_page_ids end || case when tg_op <> 'DELETE' then new.status_page_ids end)
  loop
    perform pg_notify('status_pages', jsonb_build_object('page', page)::text);
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_purged()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('purged', new.tenant_id::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_shown(changed uuid[], tenants uuid[], group_names text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('status_pages', jsonb_build_object('shown', s.slug)::text)
  from (
    select c.page_id from status_page_components c where c.monitor_id = any(changed)
    union
    select c.page_id from unnest(tenants, group_names) as g(tenant_id, name)
    join status_page_components c on c.tenant_id = g.tenant_id and c.type = 'group' and c.monitor_group = g.name
  ) p join status_pages s on s.id = p.page_id where s.state = 'published';
end $function$;

CREATE OR REPLACE FUNCTION public.notify_status_page_components()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('status_pages', jsonb_build_object('page', old.page_id)::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_status_page_updates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('status_page_updates', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_status_pages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    perform pg_notify('status_pages', jsonb_build_object('page', old.id, 'slug', old.slug)::text);
  end if;
  if tg_op = 'INSERT' or tg_op = 'UPDATE' and old.slug <> new.slug then
    perform pg_notify('status_pages', jsonb_build_object('page', new.id, 'slug', new.slug)::text);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_subscriber_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('subscriber_messages', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.person_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update quarantined_rows set next_try_at = clock_timestamp()
  where next_try_at > clock_timestamp() and kind in ('digest', 'monthly_report') and key = old.id::text;
  if found then perform pg_notify('quarantine', ''); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.plan_maintenance_notices()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op = 'INSERT' and new.notify_on_create then
    insert into maintenance_notices (tenant_id, window_id, kind, starts_at, ends_at)
    values (new.tenant_id, new.id, 'scheduled', new.next_starts_at, new.next_ends_at);
  end if;
  delete from maintenance_notices n where n.window_id = new.id and n.kind = 'reminder' and not (
    new.state = 'scheduled' and new.next_ends_at is not null and n.starts_at = new.next_starts_at
    and n.due_at in (select n.starts_at - make_interval(mins => m) from unnest(new.notify_before_minutes) as b(m)));
  insert into maintenance_notices (tenant_id, window_id, kind, due_at, starts_at, ends_at)
  select new.tenant_id, new.id, 'reminder', new.next_starts_at - make_interval(mins => m), new.next_starts_at,
    new.next_ends_at
  from unnest(new.notify_before_minutes) as b(m)
  where new.state = 'scheduled' and new.next_ends_at is not null
    and new.next_starts_at - make_interval(mins => m) > clock_timestamp()
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.put_grants(p_keys bytea[], p_untils bigint[])
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into rate_windows as w (key, slots, counts, ends_at)
  select u.key, array_agg(u.until), array_agg(1), max(u.until) from unnest(p_keys, p_untils) as u(key, until) group by
    u.key order by u.key
  on conflict (key) do update set slots = w.slots || excluded.slots, counts = w.counts || excluded.counts, ends_at =
    greatest(w.ends_at, excluded.ends_at)
$function$;

CREATE OR REPLACE FUNCTION public.raise_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.updated_at := old.updated_at + interval '1 microsecond';
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.record_check_pause()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict, severity)
  select new.tenant_id, new.monitor_id, new.id, clock_timestamp(),
    case when new.is_enabled then 'none' else 'paused' end, new.severity
  from monitors m join tenants t on t.id = m.tenant_id
  where m.id = new.monitor_id and m.is_enabled and not m.held_by_plan and t.paused_at is null and t.deleted_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_check_removal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select 1 from tenants where id = old.tenant_id) then
    update check_regions set ended_at = clock_timestamp() where check_id = old.id and ended_at is null;
    insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict, severity)
    values (old.tenant_id, old.monitor_id, old.id, clock_timestamp(), 'removed', old.severity);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_check_severity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict, severity)
  select new.tenant_id, new.monitor_id, new.id, clock_timestamp(), l.verdict, new.severity
  from (
    select v.verdict from verdict_changes v where v.check_id = new.id order by v.at desc, v.id desc limit 1
  ) l where l.verdict = 'down';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_identity_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if tg_op <> 'INSERT' then insert into identity_changes (about) values (identity_key((to_jsonb(old) ->>
    tg_argv[0])::uuid)); end if;
  if tg_op <> 'DELETE' and (tg_op = 'INSERT' or to_jsonb(new) -> tg_argv[0] <> to_jsonb(old) -> tg_argv[0]) then
    insert into identity_changes (about) values (identity_key((to_jsonb(new) ->> tg_argv[0])::uuid));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_maintenance()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare switched uuid[];
begin
  execute $sql$
    with moved as materialized (
      select w.*, o.state = 'active' as is_over, o.next_ends_at as planned_end,
        least(w.actual_started_at, greatest(o.next_starts_at, o.updated_at)) as span_starts_at
      from before o join changed w on w.id = o.id where (o.state = 'active') <> (w.state = 'active')
    ), ended as (
      update maintenance_spans s
      set ended_at = greatest(s.started_at, least(w.actual_ended_at, w.planned_end, clock_timestamp()))
      from moved w where w.is_over and s.window_id = w.id and s.ended_at is null
      returning s.monitor_id, s.is_paused
    ), begun as (
      select id, tenant_id, monitor_ids, tags, is_all, span_starts_at, exclude_from_uptime,
        mode = 'pause_checks' as pauses
      from moved where not is_over
    ), covered as (
      select b.*, m.id as monitor_id, m.created_at from begun b cross join unnest(b.monitor_ids) as n(id)
        cross join lateral (select id, created_at from monitors where id = n.id and tenant_id = b.tenant_id limit 1) m
      union all
      select b.*, m.id, m.created_at from begun b cross join lateral (
        select id, created_at from monitors where tenant_id = b.tenant_id and tags && b.tags
      ) m where b.tags <> '{}'
      union all
      select b.*, m.id, m.created_at from begun b join monitors m on m.tenant_id = b.tenant_id where b.is_all
    ), opened as (
      insert into maintenance_spans (tenant_id, monitor_id, window_id, started_at, is_excluded, is_paused)
      select distinct on (id, monitor_id) tenant_id, monitor_id, id, greatest(span_starts_at, created_at),
        exclude_from_uptime, pauses
      from covered
      on conflict do nothing
      returning monitor_id, is_paused
    ), noticed as (
      insert into maintenance_notices (tenant_id, window_id, kind, starts_at, ends_at)
      select tenant_id, id, case when is_over then 'ended' else 'started' end, actual_started_at,
        case when is_over then actual_ended_at else next_ends_at end
      from moved where case when is_over then notify_on_end else notify_on_start end
    )
    select array_agg(distinct monitor_id) filter (where is_paused)
    from (select * from ended union all select * from opened) s
  $sql$ into switched;
  if switched is not null then perform switch_maintenance(switched); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_monitor_pause()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
  select c.tenant_id, c.monitor_id, c.id, clock_timestamp(),
    case when new.is_enabled and not new.held_by_plan then 'none' else 'paused' end
  from checks c join tenants t on t.id = c.tenant_id
  where c.monitor_id = new.id and c.is_enabled and t.paused_at is null and t.deleted_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_monitor_removal()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update maintenance_spans set ended_at = clock_timestamp() where monitor_id = old.id and ended_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.record_tenant_pause()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
  select c.tenant_id, c.monitor_id, c.id, clock_timestamp(),
    case when new.paused_at is null and new.deleted_at is null then 'none' else 'paused' end
  from checks c join monitors m on m.id = c.monitor_id
  where c.tenant_id = new.id and c.is_enabled and m.is_enabled and not m.held_by_plan;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.redact_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  l audit_links;
begin
  if (new.ip is not null and new.ip is distinct from old.ip) or (new.request_id is not null
    and new.request_id is distinct from old.request_id)
    or (new.changes is not null and new.changes is distinct from old.changes) then
    raise exception 'audit entries are never edited, only redacted' using errcode = 'insufficient_privilege';
  end if;
  if (new.ip is distinct from old.ip or new.request_id is distinct from old.request_id or new.changes is distinct from
    old.changes)
    and exists (select 1 from audit_links k where k.entry_id = new.id) then
    update audit_links k set
      ip_salt = case when new.ip is null then null else k.ip_salt end,
      request_salt = case when new.request_id is null then null else k.request_salt end,
      changes_salt = case when new.changes is null then null else k.changes_salt end
    where k.entry_id = new.id and not k.is_redaction;
    l.tenant_id := new.tenant_id;
    l.entry_id := new.id;
    l.is_redaction := true;
    perform add_audit_link(l, new);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.rename_resolution()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.resolution := case new.resolution when 'auto' then 'recovered' else 'by_hand' end;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.reserve_slug()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.retry_quarantined(tenant uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update quarantined_rows set next_try_at = clock_timestamp()
  where next_try_at > clock_timestamp() and tenant_id = tenant;
  if found then perform pg_notify('quarantine', ''); end if;
end $function$;

CREATE OR REPLACE FUNCTION public.return_grants(p_keys bytea[], p_slots bigint[], p_counts integer[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  back record;
begin
  for back in select u.key, u.slot, u.n from unnest(p_keys, p_slots, p_counts) as u(key, slot, n) order by u.key loop
    update rate_windows w set slots = w.slots || back.slot, counts = w.counts || -back.n where w.key = back.key
      and back.slot = any(w.slots);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.set_trial_times()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.trial_ends_at := date_trunc('milliseconds', new.trial_ends_at);
  new.deleted_at := date_trunc('milliseconds', new.deleted_at);
  if tg_op = 'INSERT' or new.trial_ends_at is distinct from old.trial_ends_at then
    new.trial_set_at := case when new.trial_ends_at is null then null else clock_timestamp() end;
    new.trial_reminded := null;
    new.trial_expired_at := null;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.stream_changed_monitors()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare changed uuid[];
begin
  select array_agg(m.id) into changed from after m join before b using (id) join tenants t on t.id = m.tenant_id
  where monitor_state(t.deleted_at, t.paused_at, m.is_enabled, m.held_by_plan, null, m.status, m.coverage,
      m.coverage_since)
    <> monitor_state(t.deleted_at, t.paused_at, b.is_enabled, b.held_by_plan, null, b.status, b.coverage,
      b.coverage_since);
  if changed is not null then perform stream_monitor_statuses(changed); end if;
  perform notify_shown('{}', array_agg(g.tenant_id), array_agg(g.group_name)) from (
    select m.tenant_id, unnest(array[m.group_name, b.group_name]) as group_name
    from after m join before b using (id) where m.group_name is distinct from b.group_name) g
  having count(*) > 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stream_changed_team()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_notify('status_pages', jsonb_build_object('tenant', new.id,
    'ended', new.deleted_at is not null)::text);
  if (old.paused_at is null, old.deleted_at is null) is distinct from (new.paused_at is null, new.deleted_at is null)
  then perform stream_monitor_statuses(array(select id from monitors where tenant_id = new.id)); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stream_maintained_monitors()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform stream_monitor_statuses(array(select distinct monitor_id from changed));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stream_monitor_statuses(changed uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  -- triggers of statements run for those that change no row, such as that of each new monitor
  if coalesce(cardinality(changed), 0) = 0 then return; end if;
  insert into stream_events (id, tenant_id, name, payload)
  select nextval(pg_get_serial_sequence('outbox', 'id')), m.tenant_id, 'monitor.status', jsonb_build_object(
    'monitor_id', m.id, 'status', monitor_status(s.state), 'state', s.state,
    'since', to_char(s.since at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
  from monitors m
  cross join lateral (select * from monitor_states(m.tenant_id) o where o.monitor_id = m.id) s
  where m.id = any(changed);
  if found then perform pg_notify('stream', ''); end if;
  -- a notice has at most 8,000 bytes
  perform pg_notify('monitors_shown', string_agg(c.id::text, ' '))
  from (select id, (row_number() over () - 1) / 200 as part from unnest(changed) as u(id)) c group by c.part;
  perform notify_shown(changed, array_agg(tenant_id), array_agg(group_name)) from (
    select distinct tenant_id, group_name from monitors where id = any(changed) and group_name is not null) g;
end $function$;

CREATE OR REPLACE FUNCTION public.stream_outbox_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into stream_events (id, tenant_id, name, payload, at)
  select id, tenant_id, name, payload, created_at from added
  where kind = 'event' and name ~ '^(monitor|warning|dns|certificate|incident)\.'
    and coalesce(suppression->>'stage', '') not in ('released', 'unmuted');
  if found then perform pg_notify('stream', ''); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.switch_maintenance(switched uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform 1 from heartbeats where monitor_id = any(switched) order by check_id for update;
  update heartbeats set expected_at = null, alert_after = null, runs = '{}', wake_at = clock_timestamp()
  where monitor_id = any(switched);
  perform pg_notify('assignments', jsonb_build_object('monitor', id)::text) from unnest(switched) as s(id);
end $function$;

CREATE OR REPLACE FUNCTION public.take_grants(p_keys bytea[], p_limits integer[], p_wants integer[], p_spares integer[], p_window integer, p_good integer, p_lend integer)
 RETURNS TABLE(place integer, granted integer, good_until bigint, lent integer, lent_until bigint, remaining integer, free_at bigint)
 LANGUAGE plpgsql
AS $function$
declare
  asked record;
  v_slots bigint[];
  v_counts int[];
  v_used int;
  v_now bigint;
  v_slot bigint;
begin
  -- in one order for everybody, so that nobody waits in a circle
  for asked in select a.n, a.key, a.max, a.wants, a.spare
    from unnest(p_keys, p_limits, p_wants, p_spares) with ordinality as a(key, max, wants, spare, n) order by a.key
  loop
    select w.slots, w.counts into v_slots, v_counts from rate_windows w where w.key = asked.key for update;
    if not found then
      insert into rate_windows as w (key) values (asked.key) on conflict (key) do update set key = excluded.key
        returning w.slots, w.counts into v_slots, v_counts;
    end if;
    v_now := floor(extract(epoch from clock_timestamp()) * 1000);
    select coalesce(array_agg(s.slot order by s.slot), '{}'), coalesce(array_agg(s.n order by s.slot), '{}'),
      coalesce(sum(s.n), 0)
      into v_slots, v_counts, v_used
      from (select u.slot, sum(u.n)::int as n from unnest(v_slots, v_counts) as u(slot, n)
        where u.slot > v_now group by u.slot having sum(u.n) > 0) s;
    place := asked.n;
    granted := least(asked.wants, greatest(0, asked.max - v_used));
    lent := case when granted = asked.wants and asked.spare > 0
      and v_used + granted + asked.spare <= asked.max / 2 then asked.spare else 0 end;
    v_used := v_used + granted + lent;
    v_slot := ceil((v_now + p_good + p_window) / 100.0) * 100;
    good_until := v_slot - p_window;
    lent_until := ceil((v_now + p_lend + p_window) / 100.0) * 100;
    remaining := greatest(0, asked.max - v_used);
    free_at := null;
    if granted > 0 then
      v_slots := v_slots || v_slot;
      v_counts := v_counts || granted;
      if lent > 0 then
        v_slots := v_slots || lent_until;
        v_counts := v_counts || lent;
      end if;
      update rate_windows w set slots = v_slots, counts = v_counts, ends_at = greatest(w.ends_at, v_slot, case when
        lent > 0 then lent_until end) where w.key = asked.key;
    end if;
    if granted < asked.wants then
      select min(c.slot) into free_at from (select u.slot, sum(u.n) over (order by u.slot) as freed from
        unnest(v_slots, v_counts) as u(slot, n)) c
        where v_used - c.freed < asked.max;
    end if;
    return next;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.tenant_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('assignments', jsonb_build_object('tenant', new.id)::text);
  perform pg_notify('alerting', new.id::text);
  perform retry_quarantined(new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.uptime_formula(since timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select case when exists (
    select 1 from schema_migrations n join schema_migrations b on b.name = '0001-baseline'
    where n.name = '0072-monitor-changes' and since < n.applied_at and b.applied_at < n.applied_at - interval '1 minute'
  ) then 2 else 3 end
$function$;
