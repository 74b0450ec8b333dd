-- who is notified of the updates of a status page
create table status_page_subscribers (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  page_id uuid not null,
  channel varchar(10) not null default 'email' check (channel in ('email', 'webhook', 'slack')),
  -- encrypted; found by its keyed hash
  address text not null,
  address_hash bytea not null,
  -- of webhooks: messages to one host share it
  host_key varchar(64) not null default '',
  -- empty: all components
  component_ids uuid[] not null default '{}',
  locale varchar(5) not null default 'en' check (locale in ('en', 'de')),
  state varchar(12) not null default 'pending' check (state in ('pending', 'active', 'unsubscribed')),
  source varchar(10) not null default 'self' check (source in ('self', 'admin', 'import')),
  -- of the latest link that confirms
  token_hash bytea unique,
  asked_at timestamptz[] not null default '{}',
  confirmed_at timestamptz,
  unsubscribed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (tenant_id, id),
  unique (page_id, channel, address_hash),
  foreign key (tenant_id, page_id) references status_pages(tenant_id, id) on delete cascade
);
create index status_page_subscribers_by_created on status_page_subscribers (tenant_id, page_id, created_at, id);
create index status_page_subscribers_of_address on status_page_subscribers (address_hash);
create index status_page_subscribers_active on status_page_subscribers (page_id, id) where state = 'active';
create index status_page_subscribers_pending on status_page_subscribers (created_at) where state = 'pending';

-- how far the subscribers of a page were queued for an update
create table subscriber_mailings (
  update_id uuid primary key references status_page_updates on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  -- the last subscriber that was queued
  after_id uuid,
  finished_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index subscriber_mailings_of_tenant on subscriber_mailings (tenant_id);
create index subscriber_mailings_unfinished on subscriber_mailings (created_at) where finished_at is null;

-- messages to subscribers: apart from the outbox, so that alerts never wait for them
create table subscriber_messages (
  id bigint generated always as identity primary key,
  tenant_id uuid not null references tenants on delete cascade,
  subscriber_id uuid not null,
  -- null: the question whether the subscription is wanted
  update_id uuid references status_page_updates on delete cascade,
  queue varchar(4) not null default 'mail' check (queue in ('mail', 'http')),
  -- what messages share that must not delay others: the team of a mail, the host of a request
  queue_key varchar(64) not null default '',
  attempts int not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  done_at timestamptz,
  outcome varchar(20),
  created_at timestamptz not null default clock_timestamp(),
  foreign key (tenant_id, subscriber_id) references status_page_subscribers(tenant_id, id) on delete cascade
);
create unique index subscriber_messages_once on subscriber_messages (update_id, subscriber_id);
create index subscriber_messages_due on subscriber_messages (queue, queue_key, next_at, id) where done_at is null;
create index subscriber_messages_of_subscriber on subscriber_messages (subscriber_id);
create index subscriber_messages_of_tenant on subscriber_messages (tenant_id);
create index subscriber_messages_done on subscriber_messages (done_at) where done_at is not null;

create function notify_subscriber_messages() returns trigger language plpgsql as $$
begin
  perform pg_notify('subscriber_messages', '');
  return null;
end $$;
create trigger subscriber_messages_added after insert on subscriber_messages for each statement
  execute function notify_subscriber_messages();

-- an update that subscribers are notified of
create function notify_status_page_updates() returns trigger language plpgsql as $$
begin
  perform pg_notify('status_page_updates', '');
  return null;
end $$;
create trigger status_page_updates_added after insert on status_page_updates for each row
  when (new.notify_subscribers and new.queued_at is null)
  execute function notify_status_page_updates();
