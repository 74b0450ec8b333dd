-- what a tenant pays for; a tenant without a row has the plan that the operator or its reseller gave it
create table subscriptions (
  tenant_id uuid primary key references tenants on delete cascade,
  provider varchar(10) not null default 'manual' check (provider in ('manual', 'stripe')),
  customer_ref varchar(255),
  subscription_ref varchar(255),
  subscription_created_at timestamptz,
  schedule_ref varchar(255),
  -- what is known of its payments, and what follows from it
  collection varchar(10) not null default 'none'
    check (collection in ('none', 'trialing', 'active', 'past_due', 'unpaid', 'canceled')),
  status varchar(10) not null default 'none'
    check (status in ('none', 'trialing', 'active', 'past_due', 'grace', 'canceled')),
  plan varchar(20) not null default 'free' check (plan in ('free', 'hobby', 'starter', 'pro')),
  plan_in_force varchar(20) not null default 'free' check (plan_in_force in ('free', 'hobby', 'starter', 'pro')),
  interval varchar(5) check (interval in ('month', 'year')),
  currency varchar(3),
  seats int not null default 1 check (seats >= 1),
  current_period_start timestamptz,
  current_period_end timestamptz,
  pending_plan varchar(20) check (pending_plan in ('free', 'hobby', 'starter', 'pro')),
  pending_interval varchar(5) check (pending_interval in ('month', 'year')),
  -- null: once its invoice is paid
  pending_at timestamptz,
  past_due_since timestamptz,
  grace_ends_at timestamptz,
  grace_reminded_at timestamptz,
  -- the start of the last period that has an invoice of its own
  invoiced_from timestamptz,
  payer jsonb not null default '{}',
  -- when the provider's object was as it is stored
  seen_at timestamptz,
  revision int not null default 0,
  next_due_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create unique index subscriptions_of_customer on subscriptions (provider, customer_ref) where customer_ref is not null;

create table invoices (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  provider varchar(10) not null default 'manual' check (provider in ('manual', 'stripe')),
  provider_ref varchar(255),
  subscription_ref varchar(255),
  number varchar(60),
  reason varchar(60) not null default 'start',
  status varchar(13) not null default 'draft' check (status in ('draft', 'open', 'paid', 'void', 'uncollectible')),
  plan varchar(20) check (plan in ('free', 'hobby', 'starter', 'pro')),
  interval varchar(5) check (interval in ('month', 'year')),
  seats int not null default 1,
  currency varchar(3) not null default 'eur',
  subtotal int not null default 0,
  tax int not null default 0,
  total int not null default 0,
  amount_paid int not null default 0,
  lines jsonb not null default '[]',
  payer jsonb not null default '{}',
  period_start timestamptz not null default clock_timestamp(),
  period_end timestamptz not null default clock_timestamp(),
  issued_at timestamptz,
  due_at timestamptz,
  paid_at timestamptz,
  failed_at timestamptz,
  attempts int not null default 0,
  hosted_url text,
  seen_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (tenant_id, number)
);
create unique index invoices_of_provider on invoices (provider, provider_ref) where provider_ref is not null;
create index invoices_by_created on invoices (tenant_id, created_at, id);

-- events of a provider, stored before they are acknowledged
create table billing_events (
  id varchar(255) primary key,
  provider varchar(10) not null default 'stripe',
  type varchar(100) not null,
  tenant_id uuid references tenants on delete cascade,
  occurred_at timestamptz not null default clock_timestamp(),
  object jsonb,
  outcome varchar(10) check (outcome in ('applied', 'stale', 'ignored', 'foreign')),
  next_at timestamptz default clock_timestamp(),
  received_at timestamptz not null default clock_timestamp(),
  handled_at timestamptz
);
create index billing_events_due on billing_events (next_at) where next_at is not null;
create index billing_events_handled on billing_events (handled_at) where handled_at is not null;
